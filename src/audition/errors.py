"""Every way Audition can say no: one tree, so that callers can catch the branch they mean.

Each message says what was expected, what came, and what to do about it.
"""


class AuditionError(Exception):
    """Something that Audition was asked to do cannot be done; the message says what to change."""


class LogError(AuditionError):
    """The log cannot be read, or cannot support a choice."""


class ConfigError(AuditionError):
    """A setting, a study file or a command line is not what was expected."""


class PluginError(AuditionError):
    """A family, learner, ensemble, rule or executor breaks its contract or cannot be found."""


class FamilyError(AuditionError):
    """A family cannot be fitted to this log, or its simulator cannot be opened."""


class LearnerError(AuditionError):
    """A learner cannot run in this world, or broke while it ran."""


class EngineError(AuditionError):
    """The compiled engine cannot run this work on this machine."""


class StoreError(AuditionError):
    """A study directory is not readable, not writable, or belongs to other work."""


class ScoreError(AuditionError):
    """The scores cannot answer the question: too few of them are valid, or none."""


class Interrupted(AuditionError):
    """The study was stopped by the user; what was done is kept and it can be resumed."""
