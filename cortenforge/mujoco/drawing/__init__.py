"""What MuJoCo calls abstract visualisation and rendering (`mjv_*`, `mjr_*`), without OpenGL."""
