"""System calls that no answer needs, refused for good: a seccomp filter in a few dozen words.

    who makes a call of the list                       is told: not permitted
    who asks for a new user namespace                  is told: not permitted
    who sets limits of another process                 is told: not permitted
    who asks for a socket of a rare kind               is told: not permitted
    who comes through another door (x32, 32-bit)       is told: no such call

What is on the list could take memory that nobody counts, leave something for the next submission,
slow others down, mount, trace, or reach the kernel's rarer corners. The list is short on purpose:
walls are for what a submission may see, this is for what could weaken the walls.
"""

import ctypes
import errno
import platform
import struct

# Numbers of the calls on x86_64 and on aarch64; None where there is no such call.
FORBIDDEN = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "io_uring_setup": (425, 425),
    "ioprio_set": (251, 30),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "semget": (64, 190),
    "setns": (308, 268),
    "setpriority": (141, 140),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
CLONE, CLONE3, PRLIMIT, SOCKET = (56, 220), (435, 435), (302, 261), (41, 198)
FAMILIES = (1, 2, 10, 16)  # of sockets: Unix, IPv4, IPv6, netlink; a network of one's own has them
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
NEW_USER = 0x10000000

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
CALL, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
SET_SECCOMP, FILTER, NO_NEW_PRIVILEGES = 22, 2, 38


def program(machine: str) -> bytes:
    """The filter for this kind of processor, eight bytes an instruction.

    >>> len(program("x86_64")) // 8 < 256
    True
    """
    column, architecture = ARCHITECTURES[machine]
    calls = sorted(numbers[column] for numbers in FORBIDDEN.values())
    no_such, not_permitted = REFUSE | errno.ENOSYS, REFUSE | errno.EPERM
    # (code, value, how many to skip if true, and if false); names are filled in below
    steps = [
        (LOAD, ARCHITECTURE, 0, 0),
        (EQUAL, architecture, 0, "no such"),
        (LOAD, CALL, 0, 0),
        (AT_LEAST, 0x40000000, "no such", 0),
        (EQUAL, CLONE3[column], "no such", 0),  # its flags lie in memory, where no filter sees them
        (EQUAL, CLONE[column], "clone", 0),
        (EQUAL, PRLIMIT[column], "limits", 0),
        (EQUAL, SOCKET[column], "sockets", 0),
        *((EQUAL, call, "not permitted", 0) for call in calls),
        (RETURN, ALLOW, 0, 0),
        "clone",
        (LOAD, FIRST_ARGUMENT, 0, 0),
        (ANY_BIT, NEW_USER, "not permitted", "allow again"),
        "limits",
        (LOAD, FIRST_ARGUMENT, 0, 0),
        (EQUAL, 0, "allow again", "not permitted"),  # 0 is the caller itself
        "sockets",
        (LOAD, FIRST_ARGUMENT, 0, 0),
        *((EQUAL, family, "allow again", 0) for family in FAMILIES[:-1]),
        (EQUAL, FAMILIES[-1], "allow again", "not permitted"),
        "no such",
        (RETURN, no_such, 0, 0),
        "not permitted",
        (RETURN, not_permitted, 0, 0),
        "allow again",
        (RETURN, ALLOW, 0, 0),
    ]
    places, place = {}, 0
    for step in steps:
        if isinstance(step, str):
            places[step] = place
        else:
            place += 1
    code = [step for step in steps if not isinstance(step, str)]

    def skip(target: int | str, here: int) -> int:
        return places[target] - here - 1 if isinstance(target, str) else target

    return b"".join(
        struct.pack("=HBBI", kind, skip(yes, here), skip(no, here), value)
        for here, (kind, value, yes, no) in enumerate(code)
    )


def forbid() -> bool:
    """Puts the filter over this process and all it will ever start; False on other processors."""
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        return False
    code = program(machine)
    held = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.prctl(SET_SECCOMP, FILTER, ctypes.c_char_p(filter_), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the filter of system calls could not be set")
    return True
