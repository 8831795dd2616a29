// Placeholder: replaced by the first source file of this target.
