package dev.escapement.state.input;

import dev.escapement.state.StackEnd;
import dev.escapement.state.time.ManualClock;

/** Offers from the end of a stack upwards, until one offer has room, and compares the results with what arrived. */
final class OffersAtStackEnd {

    private static final int ROUNDS = 400;
    private static final int CAPACITY = 1 << 14;
    private static final int MAX_OFFERS = 1 << 18;

    private final InputRing ring = new InputRing(CAPACITY, new ManualClock(0));
    private final InputSampler sampler = new InputSampler(ring);
    private final boolean[] accepted = new boolean[MAX_OFFERS];
    private final boolean[] threw = new boolean[MAX_OFFERS];
    private final StackEnd stackEnd = new StackEnd(this::offer);
    private int offers;
    private long arrived;

    private OffersAtStackEnd() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println(new OffersAtStackEnd().run());
    }

    /** What is wrong; empty if nothing is. */
    private String run() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            stackEnd.reach(round);
            String wrong = take();
            if (!wrong.isEmpty()) {
                return "round " + round + ": " + wrong;
            }
        }
        int thrown = 0;
        for (boolean one : threw) {
            thrown += one ? 1 : 0;
        }
        offer(); // with a stack
        String wrong = take();
        boolean balanced = ring.accepted() == arrived
                && ring.waiting() == 0
                && sampler.taken() == arrived
                && ring.rejected() <= thrown
                && thrown >= ROUNDS;
        return !wrong.isEmpty() || balanced
                ? wrong
                : "accepted " + ring.accepted() + ", arrived " + arrived + ", taken " + sampler.taken() + ", waiting "
                        + ring.waiting() + ", rejected " + ring.rejected() + " of " + thrown + " that threw";
    }

    private void offer() {
        int code = offers++;
        threw[code] = true;
        accepted[code] = ring.offer(0, InputKind.APPLICATION, code, 0, 0);
        threw[code] = false;
    }

    private String take() {
        boolean[] seen = new boolean[offers];
        InputFrame frame = sampler.sample(0, 0);
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            if ((!accepted[event.code()] && !threw[event.code()]) || seen[event.code()]) {
                return "not offered, or twice: " + event;
            }
            if (event.sequence() != arrived++) {
                return event + " is number " + (arrived - 1);
            }
            seen[event.code()] = true;
            accepted[event.code()] = false;
        }
        for (int code = 0; code < offers; code++) {
            if (accepted[code]) {
                return "accepted and lost: " + code + " of " + offers;
            }
        }
        return "";
    }
}
