"""Saying: from evidence to an answer whose every quote has been checked."""
