package dev.escapement.state.time;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Tests that a thread that parks in a {@link Pacer} while another signals is woken. */
@JCStressTest
@Description("A thread awaits a signal, while another signals.")
@Outcome(id = "true", expect = ACCEPTABLE, desc = "Saw the signal, or was woken.")
@Outcome(expect = FORBIDDEN, desc = "Slept on: the signaller found nobody to wake.")
@State
public class SignalAgainstWait {

    /** The longest wait: longer than any pause of a machine, because only a thread that nobody wakes may wait so long. */
    private static final long NANOS = 5_000_000_000L;

    private volatile boolean isReady;
    private volatile boolean hasSignalled;

    private final Pacer pacer = new Pacer(
            NanoClock.system(),
            new Waiter() {
                @Override
                public void park(long nanos) {
                    while (!hasSignalled) {
                        Thread.onSpinWait(); // so that the actors stay in step: they would not if one slept
                    }
                    LockSupport.parkNanos(nanos);
                }
            },
            WaitStrategy.PARK_THEN_SPIN);

    @Actor
    public void waiter(Z_Result r) {
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park(); // consumes a permit of an earlier sample, which would hide that this one gets none
        long start = System.nanoTime();
        isReady = true;
        pacer.awaitSignal(NANOS);
        r.r1 = System.nanoTime() - start < NANOS;
    }

    @Actor
    public void signaller() {
        for (int i = 0; i < 1000 && !isReady; i++) { // bounded, because the waiter may have lost its core
            Thread.onSpinWait();
        }
        pacer.signal();
        hasSignalled = true;
    }
}
