package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** What other threads send to a service: more input and more commands than it has room for. */
final class Floods {

    private static final int THREADS = 4;
    private static final int PER_SECOND = 1_000_000;

    /** So that a soak has many floods, and each few enough events to be numbered. */
    private static final double LONGEST_SECONDS = 60;

    private static final int WAITING = 1024;
    private static final int PER_TICK = 512;
    private static final int BURST = 20;
    private static final int LARGE_EVERY = 100;
    private static final long PAUSE_NANOS = 2_000_000;

    private Floods() {}

    /** Numbered input events, in turns into a ring that has room for two ticks and into one that has to refuse. */
    static Scenario ofInput() {
        Set<Promise> promises = EnumSet.of(Promise.INPUT_PLACED);
        promises.addAll(InputLedger.PROMISES);
        return new Scenario(
                "input-flood",
                "4 producers offer a million events a second, half of the time into a ring that is too small",
                promises,
                trial -> {
                    Flood.Result ample;
                    Flood.Result small;
                    do {
                        ample = flood(trial, Flood.ampleCapacity(PER_SECOND));
                        small = flood(trial, Flood.tooSmallCapacity(PER_SECOND));
                    } while (trial.goesOn());
                    trial.figure(Figure.info("offered", ample.offeredPerSecond(), "events a second"));
                    trial.info("most events in a tick", ample.ledger().mostInATick());
                    trial.info(
                            "events refused by the small ring", small.counts().rejected());
                });
    }

    private static Flood.Result flood(Trial trial, int capacity) {
        long offers = (long) (Math.min(LONGEST_SECONDS, trial.lengthNanos() / 2e9) * PER_SECOND) + 8 * THREADS;
        Flood flood = new Flood(THREADS, PER_SECOND, offers, capacity, InputFault.plantedIn(trial));
        Flood.Result result = flood.run(offered -> {});
        result.ledger().report(trial, result.counts());
        return result;
    }

    /** Threads give commands and queries by the thousand, now and then more than there is room for, until the service is closed. */
    static Scenario ofCommands() {
        Set<Promise> promises = CheckingReader.promises(Promise.ACCOUNTED);
        promises.addAll(CommandLedger.PROMISES);
        return new Scenario(
                "command-flood",
                "4 threads give commands and queries, now and then more than there is room for",
                promises,
                trial -> {
                    CommandLedger ledger = new CommandLedger(trial, 2 * THREADS, thrown -> false);
                    long[] given = new long[THREADS]; // each thread its own
                    PhysicsService closed = WatchedService.run(
                            trial,
                            new PredictableWorld(100),
                            builder -> builder.commands(WAITING, PER_TICK),
                            service -> Worker.during(
                                    THREADS, thread -> give(service.service(), ledger, thread, given), () -> {
                                        service.awaitEnd();
                                        Polling.await(() -> ledger.ran() > 0);
                                        service.end();
                                    }));
                    ledger.checkSums(closed.refusedCommands());
                    trial.info("commands and queries run", ledger.ran());
                    trial.info("commands and queries refused", ledger.refused());
                });
    }

    private static void give(PhysicsService service, CommandLedger ledger, int thread, long[] given) {
        long first = given[thread];
        long burst = first / BURST % LARGE_EVERY == 0 ? 2 * WAITING : BURST;
        int commands = 2 * thread;
        int queries = commands + 1;
        for (long i = first; i < first + burst; i++) {
            long number = i;
            ledger.follow(commands, number, service.command(tick -> ledger.run(commands, number, tick)));
            ledger.follow(queries, number, service.query(tick -> ledger.run(queries, number, tick)));
        }
        given[thread] = first + burst;
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
