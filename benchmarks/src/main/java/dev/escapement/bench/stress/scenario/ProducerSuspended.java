package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.InputLedger;
import dev.escapement.bench.stress.world.LedgerWorld;
import dev.escapement.bench.stress.world.NumberedProducer;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.SuspendedProducer;
import dev.escapement.bench.stress.world.TicksGoOn;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.Set;

/** A producer stops in the middle of an offer, again and again: nobody waits for it, and nothing is lost when it goes on. */
final class ProducerSuspended implements Scenario {

    private static final int BODIES = 10;
    private static final long FPS = 144;
    private static final int CAPACITY = 256;
    private static final int OTHERS = 4;
    private static final int BEFORE = 5;
    private static final int REFUSALS = 10;

    @Override
    public String name() {
        return "producer-suspended";
    }

    @Override
    public String says() {
        return "a producer of input is suspended between claim and publish while others fill the ring";
    }

    @Override
    public Set<Promise> promises() {
        Set<Promise> promises = Promises.ofReaders(Promise.ACCOUNTED, Promise.TICKS_GO_ON, Promise.INPUT_ACCEPTED);
        promises.addAll(InputLedger.PROMISES);
        return promises;
    }

    @Override
    public void run(Trial trial) throws SkippedException {
        PredictableWorld world = new PredictableWorld(BODIES);
        InputLedger ledger = new InputLedger(trial, OTHERS + 1);
        try (WatchedService service = WatchedService.start(
                trial, new LedgerWorld(world, ledger), builder -> builder.inputCapacity(CAPACITY))) {
            SuspendedProducer suspended = SuspendedProducer.of(service.service().input());
            service.readBy(world, FPS);
            do {
                round(trial, service, ledger, suspended);
            } while (trial.goesOn());
            service.awaitEnd();
            service.end();
            ledger.checkSums(service.service());
        }
    }

    private static void round(Trial trial, WatchedService service, InputLedger ledger, SuspendedProducer suspended) {
        InputRing ring = service.service().input();
        NumberedProducer.Way intoRing = (nanos, code, x, y) -> ring.offer(nanos, InputKind.APPLICATION, code, x, y);
        for (int i = 0; i < BEFORE; i++) {
            ledger.producer(1).offer(intoRing);
        }
        suspended.claim();
        // What was there before does not wait for it, and when that is gone, it alone takes a place.
        boolean goesOn = Patience.await(() -> ledger.arrived() == ledger.accepted());
        trial.check(Promise.TICKS_GO_ON).that(goesOn, () -> "input waits for an event that was offered after it");
        fill(trial, ring, ledger, intoRing);
        TicksGoOn.check(trial, service);
        ledger.producer(0).offer(suspended::goOn);
        boolean all = Patience.await(() -> ledger.arrived() == ledger.accepted());
        trial.check(Promise.INPUT_ONCE)
                .that(all, () -> ledger.accepted() + " were accepted, but " + ledger.arrived() + " arrived");
    }

    private static void fill(Trial trial, InputRing ring, InputLedger ledger, NumberedProducer.Way intoRing) {
        long refusedBefore = ring.rejected();
        int accepted = 0;
        int refused = 0;
        for (int i = 0; refused < REFUSALS; i++) {
            boolean taken = ledger.producer(1 + i % OTHERS).offer(intoRing);
            accepted += taken ? 1 : 0;
            refused += taken ? 0 : 1;
        }
        int fitting = trial.isPlanted(Promise.INPUT_ACCEPTED) ? CAPACITY : CAPACITY - 1;
        int took = accepted;
        long counted = ring.rejected() - refusedBefore;
        trial.check(Promise.INPUT_ACCEPTED)
                .that(
                        took == fitting && counted == REFUSALS,
                        () -> took + " of " + fitting + " accepted, " + counted + " of " + REFUSALS + " refused");
    }
}
