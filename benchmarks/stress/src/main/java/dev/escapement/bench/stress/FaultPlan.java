package dev.escapement.bench.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Two faults and when they strike, drawn from a seed, so that a run that found a bug can be repeated. */
record FaultPlan(long seed, List<Strike> strikes) {

    private static final int PAIR = 2;

    enum Act {
        THROW,
        EXHAUST,
        INTERRUPT,
        /** The thread hangs in the call until the test releases it; then the call returns. */
        HANG,
        CLOSE,
        /** The thread ends without closing its reader or anything else. */
        LEAVE,
        /** The thread sends more commands than the queue has room for. */
        FLOOD,
        /** The thread pauses time, steps it by a tick, and resumes it. */
        PAUSE
    }

    private static final List<Act> OF_PHYSICS_THREAD =
            List.of(Act.THROW, Act.EXHAUST, Act.INTERRUPT, Act.HANG, Act.CLOSE);

    /**
     * A kind of call in which a fault can strike: a call of the test's code by the library, or a call of the library by the test's code.
     */
    enum Site {
        BEGIN(2, true, OF_PHYSICS_THREAD),
        STEP(40, true, OF_PHYSICS_THREAD),
        CAPTURE(40, true, OF_PHYSICS_THREAD),
        EVENTS(40, true, OF_PHYSICS_THREAD),
        END(2, true, OF_PHYSICS_THREAD),
        POLL(40, true, OF_PHYSICS_THREAD),
        DEVICE_END(2, true, OF_PHYSICS_THREAD),
        LISTENER(40, true, OF_PHYSICS_THREAD),
        COMMAND(40, false, OF_PHYSICS_THREAD),
        QUERY(40, false, OF_PHYSICS_THREAD),
        /** A dependent action of a command's future. It runs on the thread that completes the future. */
        ANSWER(40, false, List.of(Act.THROW, Act.INTERRUPT, Act.HANG, Act.CLOSE)),
        VISIT(40, false, List.of(Act.THROW, Act.CLOSE)),
        READ(40, false, List.of(Act.LEAVE, Act.INTERRUPT, Act.CLOSE)),
        /** A round of the thread that sends commands and input, once a millisecond. */
        USE(40, false, List.of(Act.LEAVE, Act.INTERRUPT, Act.CLOSE, Act.FLOOD, Act.PAUSE));

        /** Faults strike only the first calls of this site, up to this number. */
        final int lastMoment;

        /** Whether the service must fail if a call of this site throws. */
        final boolean fails;

        @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
        final List<Act> acts;

        Site(int lastMoment, boolean fails, List<Act> acts) {
            this.lastMoment = lastMoment;
            this.fails = fails;
            this.acts = acts;
        }

        boolean isEnd() {
            return this == END || this == DEVICE_END;
        }

        /** Returns whether this site's calls run on the physics thread. The service then must fail if such a call hangs. */
        boolean isOfPhysicsThread() {
            return fails || this == COMMAND || this == QUERY;
        }
    }

    /**
     * A fault, and when it strikes.
     *
     * @param moment the number of the call of {@code site} that it strikes, from 1
     */
    record Strike(Act act, Site site, int moment) {

        @Override
        public String toString() {
            return (act + " in " + site + " at " + moment)
                    .toLowerCase(Locale.ROOT)
                    .replace('_', '-');
        }
    }

    /**
     * Draws two faults: for each a site, and an act that this site allows. In half of all plans both strike calls of the same number,
     * because faults that coincide break most.
     */
    static FaultPlan draw(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Site> sites = List.of(Site.values());
        List<Strike> strikes = new ArrayList<>();
        int moment = 0;
        for (int i = 0; i < PAIR; i++) {
            Site site = sites.get(random.nextInt(sites.size()));
            Act act = site.acts.get(random.nextInt(site.acts.size()));
            int any = 1 + random.nextInt(site.lastMoment);
            moment = random.nextBoolean() && moment > 0 ? Math.min(moment, site.lastMoment) : any;
            strikes.add(new Strike(act, site, moment));
        }
        return new FaultPlan(seed, List.copyOf(strikes));
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + strikes.stream().map(Strike::toString).collect(Collectors.joining(", "));
    }
}
