package dev.escapement.platform.linux;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The system calls of this process, by JNA. Created once, by the thread that asks first: loading takes a tenth of a second. */
final class JnaSystemCalls implements SystemCalls {

    private static final String ARCHITECTURE = System.getProperty("os.arch");

    /** Created when it is first used. */
    static final SystemCalls OF_THIS_PROCESS = new JnaSystemCalls();

    /** As JNA calls it with primitive arguments only, without allocating. */
    private static final class Direct {

        private Direct() {}

        static native long syscall(long number, long thread, long struct, long flags);
    }

    private final String obstacle;
    private final @Nullable Function syscall;

    private JnaSystemCalls() {
        Function found = null;
        String missing = "";
        if (!System.getProperty("os.name").equals("Linux")) {
            missing = "this is not Linux";
        } else if (Call.GETTID.number(ARCHITECTURE) < 0) {
            missing = "the numbers of system calls on " + ARCHITECTURE + " are not known";
        } else {
            try {
                // Not by the name of the C library, which differs between glibc and musl.
                found = NativeLibrary.getProcess().getFunction("syscall");
                Native.register(Direct.class, NativeLibrary.getProcess());
            } catch (LinkageError | RuntimeException thrown) {
                missing = notLoaded(thrown);
            }
        }
        syscall = found;
        obstacle = missing;
    }

    static String notLoaded(Throwable thrown) {
        return "JNA cannot load its native library, see jna.tmpdir of JNA; with musl: apk add gcompat; "
                + String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    }

    @Override
    public String obstacle() {
        return obstacle;
    }

    @Override
    public long call(Call call, Object... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = (long) call.number(ARCHITECTURE);
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        long result = Objects.requireNonNull(syscall, obstacle).invokeLong(all);
        return result == -1 ? -Native.getLastError() : result;
    }

    @Override
    public Runnable setterOfOwnAttributes(ByteBuffer struct) {
        long number = Call.SCHED_SETATTR.number(ARCHITECTURE);
        long address = Pointer.nativeValue(Native.getDirectBufferPointer(struct));
        return () -> {
            try {
                var unused = Direct.syscall(number, 0, address, 0);
            } finally {
                Reference.reachabilityFence(struct); // the kernel reads it by its address
            }
        };
    }

    @Override
    public String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException absent) {
            return "";
        }
    }
}
