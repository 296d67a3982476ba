package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.physics.PhysicsService;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** More commands than a service's queue has room for. */
final class CommandFlood {

    private static final int THREADS = 4;
    private static final int WAITING = 1024;
    private static final int PER_TICK = 512;
    private static final int BURST = 20;
    private static final int LARGE_EVERY = 100;
    private static final long PAUSE_NANOS = 2_000_000;

    private CommandFlood() {}

    /** Threads give thousands of commands and queries, now and then more than the queue has room for, until the service is closed. */
    static Scenario scenario() {
        Set<Promise> promises = CheckingReader.promises(Promise.ACCOUNTED);
        promises.addAll(CommandLedger.PROMISES);
        return new Scenario(
                "command-flood",
                "4 threads give commands and queries, now and then more than the queue has room for",
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
                                        service.close();
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
