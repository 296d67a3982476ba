package dev.escapement.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.concurrent.Callable;

/** Runs a call at every depth of a small stack, from its end upwards, until one succeeds. Each deeper call overflows at some point. */
public final class StackEnd {

    private static final long STACK_BYTES = 160_000;

    private final Runnable call;
    private int errors;

    public StackEnd(Runnable call) {
        this.call = call;
    }

    /** Runs the check in a new JVM and asserts that it returns an empty text. A check returns what is wrong. */
    public static void assertFindsNothing(Class<? extends Callable<String>> check, String option)
            throws IOException, InterruptedException {
        assertThat(ChildJvm.output(option, StackEnd.class, check.getName())).isEmpty();
    }

    public static void main(String[] check) throws Exception {
        Constructor<?> constructor = Class.forName(check[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        System.out.println(((Callable<?>) constructor.newInstance()).call());
    }

    /** Returns how many calls ended with an error. */
    public int errors() {
        return errors;
    }

    /** Runs the calls on a new thread. {@code round} shifts the stack, so that the overflow hits another instruction. */
    public void reach(int round) throws InterruptedException {
        Thread thread = new Thread(null, () -> toTheEnd(round % 40), "deep", STACK_BYTES);
        thread.start();
        thread.join();
    }

    /** Adds {@code shift} frames of another size before it descends. */
    private void toTheEnd(int shift) {
        if (shift > 0) {
            toTheEnd(shift - 1);
            return;
        }
        try {
            deeper(1);
        } catch (StackOverflowError theEnd) {
            // every stack ends here
        }
    }

    /** Recurses to the end of the stack, then runs the call at each depth on the way back until one succeeds. */
    @SuppressWarnings("InfiniteRecursion") // it is to end with the stack
    private boolean deeper(long depth) {
        boolean ended;
        try {
            ended = deeper(depth + 1);
        } catch (StackOverflowError theEnd) {
            ended = false;
        }
        if (!ended) {
            try {
                call.run();
                ended = true;
            } catch (StackOverflowError theEnd) {
                errors++;
            }
        }
        return ended;
    }
}
