"""What code needs of the machine: the device, a progress line, random numbers as in JavaScript."""
