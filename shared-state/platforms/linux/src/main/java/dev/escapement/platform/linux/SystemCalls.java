package dev.escapement.platform.linux;

import java.nio.ByteBuffer;

/** The system calls of a process, as the C library passes them on: the same with glibc and musl. Tests replace it. Any thread. */
interface SystemCalls {

    long EPERM = 1;
    long EACCES = 13;
    long EINVAL = 22;
    long ENOSYS = 38;

    /** The calls that are used, with their numbers. */
    enum Call {
        GETTID(186, 178),
        PRCTL(157, 167),
        SCHED_SETAFFINITY(203, 122),
        SCHED_GETAFFINITY(204, 123),
        PRLIMIT64(302, 261),
        SCHED_SETATTR(314, 274),
        SCHED_GETATTR(315, 275),
        CLOCK_GETRES(229, 114);

        private final int x86;
        private final int arm;

        Call(int x86, int arm) {
            this.x86 = x86;
            this.arm = arm;
        }

        /** The number on an architecture, by its {@code os.arch}; -1 if it is not known. */
        int number(String architecture) {
            return switch (architecture) {
                case "amd64" -> x86;
                case "aarch64" -> arm;
                default -> -1;
            };
        }
    }

    /** Why no call can be made; empty if calls can be made. */
    String obstacle();

    /**
     * Makes a call.
     *
     * @param arguments each a {@code Long}, or a direct buffer, which is passed as its address
     * @return what it returns; if it fails, the number of its error (errno), negative
     */
    long call(Call call, Object... arguments);

    /** Makes {@link Call#SCHED_SETATTR} for the thread that runs it, with this direct buffer. Allocates nothing; an error changes nothing. */
    Runnable setterOfOwnAttributes(ByteBuffer struct);

    /** The text of a file of {@code /proc}; empty if it cannot be read. */
    String read(String file);
}
