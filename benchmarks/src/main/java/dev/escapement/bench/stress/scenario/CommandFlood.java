package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.CommandLedger;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.bench.stress.world.Workers;
import dev.escapement.physics.PhysicsService;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Threads give commands and queries by the thousand, now and then more than there is room for, until the service is closed under them. */
final class CommandFlood implements Scenario {

    private static final int BODIES = 100;
    private static final long FPS = 144;
    private static final int THREADS = 4;
    private static final int WAITING = 1024;
    private static final int PER_TICK = 512;
    private static final int BURST = 20;
    private static final long PAUSE_NANOS = 2_000_000;
    private static final int LARGE_EVERY = 100;

    @Override
    public String name() {
        return "command-flood";
    }

    @Override
    public String says() {
        return "4 threads give commands and queries, now and then more than there is room for";
    }

    @Override
    public Set<Promise> promises() {
        Set<Promise> promises = Promises.ofReaders(Promise.ACCOUNTED);
        promises.addAll(CommandLedger.PROMISES);
        return promises;
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld world = new PredictableWorld(BODIES);
        CommandLedger ledger = new CommandLedger(trial, 2 * THREADS);
        long[] given = new long[THREADS]; // each thread its own
        try (WatchedService service =
                WatchedService.start(trial, world, builder -> builder.commands(WAITING, PER_TICK))) {
            service.readBy(world, FPS);
            Workers.during(THREADS, thread -> give(service.service(), ledger, thread, given), () -> {
                service.awaitEnd();
                Patience.await(() -> ledger.ran() > 0);
                service.end();
            });
            ledger.checkSums(service.service().refusedCommands());
        }
        trial.figure(Figure.info("commands and queries run", (double) ledger.ran(), ""));
        trial.figure(Figure.info("commands and queries refused", (double) ledger.refused(), ""));
    }

    private static void give(PhysicsService service, CommandLedger ledger, int thread, long[] given) {
        long first = given[thread];
        long burst = first / BURST % LARGE_EVERY == 0 ? 2 * WAITING : BURST;
        for (long number = first; number < first + burst; number++) {
            long commanded = number;
            int commands = 2 * thread;
            int queries = commands + 1;
            ledger.follow(commands, number, service.command(tick -> ledger.run(commands, commanded, tick)));
            ledger.follow(queries, number, service.query(tick -> ledger.run(queries, commanded, tick)));
        }
        given[thread] = first + burst;
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
