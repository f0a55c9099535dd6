"""The requests and responses of the API, one class each."""

from .generated.models import *
from .generated.models import __all__ as __all__
