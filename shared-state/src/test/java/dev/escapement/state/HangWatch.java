package dev.escapement.state;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;

/**
 * Ends the process of the tests if one that timed out ignores its interrupt; otherwise it would hold up the build. JUnit could run each
 * test on a thread of its own instead, but then the methods of a test would use writers, views and worlds that belong to another thread.
 */
public final class HangWatch implements PreInterruptCallback {

    private static final int GRACE_SECONDS = 30;

    @Override
    public void beforeThreadInterrupt(PreInterruptContext interrupt, ExtensionContext test) {
        CountDownLatch ended = new CountDownLatch(1);
        // JUnit closes what is in the store of a test once the test has ended.
        test.getStore(Namespace.create(HangWatch.class)).put(ended, (AutoCloseable) ended::countDown);
        Thread watch = new Thread(() -> haltUnless(ended, test.getUniqueId()), "hang-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void haltUnless(CountDownLatch ended, String test) {
        try {
            if (!ended.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
                System.out.println(
                        test + " hangs, and ignored its interrupt for " + GRACE_SECONDS + " s: ends the process");
                ended.await(1, TimeUnit.SECONDS); // surefire has a thread that passes on what is printed
                Runtime.getRuntime().halt(1);
            }
        } catch (InterruptedException nobodyInterrupts) {
            Thread.currentThread().interrupt();
        }
    }
}
