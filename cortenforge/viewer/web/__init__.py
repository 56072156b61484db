"""The viewer's web server: addresses, who may connect, messages of clients."""
