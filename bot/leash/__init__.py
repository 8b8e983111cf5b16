"""A leash: run one command, and let nothing that it started outlive it, its time, or whoever asked for it.

Run as a program, standard library only: `python -I -S -E bot/leash/main.py` (its options are told there).
Its parts are modules so that they are compiled once: a program is compiled anew at each start.

How nothing escapes: the leash is a child subreaper (prctl(2)), so a process whose parent ends becomes the
leash's child, daemons and `setsid` included; everything below is found through /proc and killed again and
again until wait(2) says that there is no child left. PR_SET_PDEATHSIG would not do: it follows a thread,
is lost over some `exec`s and reaches no grandchild.

Within a sandbox (`bot.isolation`) it is process 1 of a PID namespace: nothing in there can kill, stop or
look into it, and when it ends in any way, SIGKILL included, the kernel ends all the rest.
"""
