"""The ground floor: errors, flags, dtypes, devices, source sites and trees. Imports nothing of ours."""
