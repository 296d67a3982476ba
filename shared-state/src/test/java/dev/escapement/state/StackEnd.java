package dev.escapement.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.concurrent.Callable;

/** Makes a call at every depth of a stack, from its end upwards, until one has room: the others fail anywhere within. */
public final class StackEnd {

    private static final long STACK_BYTES = 160_000;

    private final Runnable call;
    private int errors;

    /** Of this call. */
    public StackEnd(Runnable call) {
        this.call = call;
    }

    /** Runs a check, which returns what is wrong, in a JVM of its own. */
    public static void assertFindsNothing(Class<? extends Callable<String>> check, String option)
            throws IOException, InterruptedException {
        assertThat(ChildJvm.output(option, StackEnd.class, check.getName())).isEmpty();
    }

    public static void main(String[] check) throws Exception {
        Constructor<?> constructor = Class.forName(check[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        System.out.println(((Callable<?>) constructor.newInstance()).call());
    }

    /** How many calls failed. */
    public int errors() {
        return errors;
    }

    /** On a thread of its own, with other frames above for each round, so that the end comes at another instruction. */
    public void reach(int round) throws InterruptedException {
        Thread thread = new Thread(null, () -> toTheEnd(round % 40), "deep", STACK_BYTES);
        thread.start();
        thread.join();
    }

    /** First some frames of another size. */
    private void toTheEnd(int shift) {
        if (shift > 0) {
            toTheEnd(shift - 1);
            return;
        }
        try {
            deeper(1);
        } catch (StackOverflowError theEnd) {
            // as it was to be
        }
    }

    /** On the way back from the end, until a call succeeds. */
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
