package dev.escapement.platform.linux;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes system calls through JNA and the C library's {@code syscall}, which glibc and musl both have. Tests replace this class. Any thread.
 */
class SystemCalls {

    static final long EPERM = 1;
    static final long EACCES = 13;
    static final long EINVAL = 22;
    static final long ENOSYS = 38;

    private static final String ARCHITECTURE = System.getProperty("os.arch");

    /** The system calls of this process. The first thread that uses them loads JNA, which takes a tenth of a second. */
    static final SystemCalls OF_THIS_PROCESS = new SystemCalls(load());

    enum Call {
        GETTID(186, 178),
        PRCTL(157, 167),
        SCHED_SETATTR(314, 274),
        SCHED_GETATTR(315, 275),
        CLOCK_GETRES(229, 114);

        private final int x86;
        private final int arm;

        Call(int x86, int arm) {
            this.x86 = x86;
            this.arm = arm;
        }

        /** Returns the number on an architecture, named as in {@code os.arch}; -1 if unknown. */
        int number(String architecture) {
            return switch (architecture) {
                case "amd64" -> x86;
                case "aarch64" -> arm;
                default -> -1;
            };
        }
    }

    /** The native method of the C library. JNA calls it without allocating, because all arguments are primitive. */
    private static final class Direct {

        private Direct() {}

        static native long syscall(long number, long a, long b, long c, long d, long e);
    }

    private final String obstacle;

    SystemCalls(String obstacle) {
        this.obstacle = obstacle;
    }

    private static String load() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return "this is not Linux";
        } else if (Call.GETTID.number(ARCHITECTURE) < 0) {
            return "the numbers of system calls on " + ARCHITECTURE + " are not known";
        }
        try {
            // Looks the function up in the process, because the name of the C library differs between glibc and musl.
            Native.register(Direct.class, NativeLibrary.getProcess());
            return "";
        } catch (LinkageError | RuntimeException thrown) {
            return notLoaded(thrown);
        }
    }

    static String notLoaded(Throwable thrown) {
        return "JNA cannot load its native library, see jna.tmpdir of JNA; with musl: apk add gcompat; "
                + String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    }

    /** Returns why no call can be made; empty if calls can be made. */
    String obstacle() {
        return obstacle;
    }

    /**
     * Makes a call.
     *
     * @param arguments at most five, each a {@code Long}, or a direct buffer, which is passed as its address
     * @return the result; the negative number of the error (errno) if the call fails
     */
    long call(Call call, Object... arguments) {
        long[] all = new long[5];
        for (int i = 0; i < arguments.length; i++) {
            all[i] = arguments[i] instanceof ByteBuffer buffer ? address(buffer) : (long) arguments[i];
        }
        try {
            long result = Direct.syscall(call.number(ARCHITECTURE), all[0], all[1], all[2], all[3], all[4]);
            return result == -1 ? -Native.getLastError() : result;
        } finally {
            // Keeps the buffers alive, because the kernel knows only their addresses.
            Reference.reachabilityFence(arguments);
        }
    }

    private static long address(ByteBuffer direct) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
    }

    /**
     * Returns an action that makes {@link Call#SCHED_SETATTR} for the thread that runs it, with the direct buffer {@code struct}. The
     * action allocates nothing, and ignores errors.
     */
    Runnable setterOfOwnAttributes(ByteBuffer struct) {
        long number = Call.SCHED_SETATTR.number(ARCHITECTURE);
        long address = address(struct);
        return () -> {
            try {
                var unused = Direct.syscall(number, 0, address, 0, 0, 0);
            } finally {
                Reference.reachabilityFence(struct);
            }
        };
    }

    /** Returns the text of a file of {@code /proc}; empty if it cannot be read. */
    String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException absent) {
            return "";
        }
    }

    int cores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
