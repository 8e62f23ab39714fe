"""A helpdesk over async SQLAlchemy: several modules, roles, and two versions side by side."""
