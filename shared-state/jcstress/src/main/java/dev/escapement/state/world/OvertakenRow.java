package dev.escapement.state.world;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Tests that a reader overtaken by the writer while it copies a row never gets metrics of two rows. */
@JCStressTest
@Description("The writer overwrites the only row of a ring of two, while a reader copies it.")
@Outcome(
        id = {"1, 1", "2, 2", "3, 3"},
        expect = ACCEPTABLE,
        desc = "A whole row.")
@Outcome(expect = FORBIDDEN, desc = "Metrics of two rows.")
@State
public class OvertakenRow {

    enum Metric {
        FIRST,
        SECOND
    }

    private final MetricRing<Metric> ring = new MetricRing<>(2, Metric.class);
    private final MetricRing<Metric>.Reader reader = ring.newReader();

    public OvertakenRow() {
        write(1);
    }

    @Actor
    public void writer() {
        write(2);
        write(3); // overwrites row 1 in the ring
    }

    private void write(long number) {
        ring.begin();
        ring.set(Metric.FIRST, number);
        ring.set(Metric.SECOND, number);
        ring.end();
    }

    @Actor
    public void reader(JJ_Result r) {
        if (reader.next()) {
            r.r1 = reader.get(Metric.FIRST);
            r.r2 = reader.get(Metric.SECOND);
        }
    }
}
