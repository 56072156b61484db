"""Objects of all worlds by name: `batch.body("torso").xpos` is `(n, 3)`."""

from __future__ import annotations

from cortenforge.batch.worlds import Worlds
from cortenforge.fields import DATA_FIELDS
from cortenforge.model.access.object_fields import FieldSlice, object_field_slices
from cortenforge.model.access.views import NamedObjects, ObjectView, object_id

ALL = slice(None)


class BatchObjectView(ObjectView):
    """One object in all worlds; its fields are views into the batch's arrays, as far as bound."""

    def __repr__(self) -> str:
        return f"<{self._kind} {self.id} {self.name!r} of {self._owner!r}>"


class NamedObjectsOfWorlds(NamedObjects, Worlds):
    """Access to objects of all worlds by name or number."""

    def _object(self, kind: str, key: str | int) -> BatchObjectView:
        model = self.model
        number = object_id(model, kind, key)
        # an owner that is no model: fields of Data
        found = object_field_slices(model, None, DATA_FIELDS, kind, number)
        places = {
            name: FieldSlice(place.field, (ALL, place.index))
            for name, place in found.items()
            if isinstance(place, FieldSlice) and not isinstance(place.index, tuple)
        }
        return BatchObjectView(self, kind, number, model.name_of(kind, number), places)
