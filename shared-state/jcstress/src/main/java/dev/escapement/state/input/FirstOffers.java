package dev.escapement.state.input;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests that two simultaneous first offers lose no event, although both may allocate the ring's memory. */
@JCStressTest
@Description("Two threads offer to a new ring; then the physics thread samples.")
@Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "Both were accepted, and arrived.")
@Outcome(expect = FORBIDDEN, desc = "An event was lost, came twice, or was seen half written.")
@State
public class FirstOffers {

    private static final int CODE = 7;

    private final InputRing ring = new InputRing(2, () -> 0);
    private final InputSampler sampler = new InputSampler(ring);

    @Actor
    public void oneProducer() {
        offer();
    }

    @Actor
    public void anotherProducer() {
        offer();
    }

    private void offer() {
        ring.offer(0, InputKind.APPLICATION, CODE, 0, 0);
    }

    @Arbiter
    public void physicsThread(II_Result r) {
        InputFrame frame = sampler.sample(0, 0);
        for (int i = 0; i < frame.size(); i++) {
            r.r1 += frame.event(i).code() == CODE ? 1 : -3;
        }
        r.r2 = (int) ring.accepted();
    }
}
