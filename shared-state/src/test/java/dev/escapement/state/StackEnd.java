package dev.escapement.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.concurrent.Callable;

/**
 * Runs a call at every depth of a small stack, the deepest first, until one call has room to succeed. Each deeper call overflows somewhere
 * inside.
 */
public final class StackEnd {

    private static final long STACK_BYTES = 160_000;

    private final Runnable call;
    private int errors;

    public StackEnd(Runnable call) {
        this.call = call;
    }

    /** Runs the check in a new JVM, in which no call site is linked yet, and asserts that it returns an empty text. */
    public static void assertFindsNothing(Class<? extends Callable<String>> check)
            throws IOException, InterruptedException {
        assertThat(ChildJvm.output("-Xint", StackEnd.class, check.getName())).isEmpty();
    }

    public static void main(String[] check) throws Exception {
        Constructor<?> constructor = Class.forName(check[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        System.out.println(((Callable<?>) constructor.newInstance()).call());
    }

    public int errors() {
        return errors;
    }

    /** Runs the calls on a new thread. {@code round} shifts the stack, so that the overflow hits another instruction. */
    public void reach(int round) throws InterruptedException {
        Thread thread = new Thread(null, () -> deeper(round % 40), "deep", STACK_BYTES);
        thread.start();
        thread.join();
    }

    /**
     * Returns whether a call has succeeded. The {@code shift} frames of this method have another size than those of the overload below it.
     */
    private boolean deeper(int shift) {
        if (shift > 0) {
            return deeper(shift - 1);
        }
        return deeper(1L) || hasRun();
    }

    @SuppressWarnings("InfiniteRecursion") // the recursion must end in a stack overflow
    private boolean deeper(long depth) {
        try {
            return deeper(depth + 1) || hasRun();
        } catch (StackOverflowError theEnd) {
            return false;
        }
    }

    private boolean hasRun() {
        try {
            call.run();
            return true;
        } catch (StackOverflowError theEnd) {
            errors++;
            return false;
        }
    }
}
