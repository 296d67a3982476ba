package dev.escapement.state.world;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;

/** Tests that a reader that asks for rows in a tight loop gets the next row. */
@JCStressTest(Mode.Termination)
@Description("A reader asks for rows until it gets one. The writer writes it after a while.")
@Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "Got the row.")
@Outcome(
        expect = FORBIDDEN,
        desc = "The loop goes on for ever: the compiler has moved the load of the count out of it.")
@State
public class NextRow {

    private final MetricRing<OvertakenRow.Metric> ring = new MetricRing<>(2, OvertakenRow.Metric.class);
    private final MetricRing<OvertakenRow.Metric>.Reader reader = ring.newReader();

    @Actor
    public void reader() {
        while (!reader.next()) {
            // no onSpinWait here: C2 would not move loads out of the loop
        }
    }

    @Signal
    public void writer() {
        LockSupport.parkNanos(100_000_000); // long enough for the JVM to compile the loop
        ring.begin();
        ring.end();
    }
}
