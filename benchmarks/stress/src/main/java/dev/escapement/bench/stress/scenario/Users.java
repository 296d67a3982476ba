package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.scenario.Fault.Site;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.command.Answer;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.BodyId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Two threads that use a service as a game does, about once a tick: one reads, the other gives commands and input and hears events. */
final class Users {

    private static final long ROUND_NANOS = 1_000_000;
    private static final int FLOOD = 64;

    private final FaultSites sites;
    private final PhysicsService service;
    private final NumberedProducer producer;
    private final EventStream events;
    private final CheckingReader reader;

    // What events told. One thread at a time.
    private final Check told;
    private final Set<Long> bodies = new HashSet<>();
    private boolean missed;

    final CommandLedger commands;

    /** The number of the next command. The using thread, or who has seen its end. */
    private long next;

    /** Ends its thread, as an uncaught error does, without giving back what it has. */
    static final class Leave extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Users of a service that has not started. */
    Users(Trial trial, FaultyService faulty) {
        sites = faulty.sites;
        service = faulty.service;
        producer = faulty.inputs.producer(0);
        commands = new CommandLedger(trial, 2, sites::isPlanted);
        told = trial.check(Promise.LIFECYCLE_TOLD);
        events = service.events(1 << 12);
        PredictableWorld world = new PredictableWorld(FaultyService.BODIES);
        reader = new CheckingReader(trial, faulty.published::get, service.newReader(), world);
    }

    /** Starts both threads, of a service that runs. It throws, when it ends, what the library threw and must not. */
    Worker start() {
        return Worker.start(2, "stress-user", (self, index) -> {
            try {
                if (index == 0) {
                    read(self);
                } else {
                    use(self);
                }
            } catch (Leave left) {
                // the thread ends without giving anything back
            }
        });
    }

    private void read(Worker self) {
        while (self.goesOn()) {
            reader.take();
            sites.at(Site.READ);
            LockSupport.parkNanos(ROUND_NANOS);
        }
        reader.close();
    }

    private void use(Worker self) {
        while (self.goesOn()) {
            if (service.state() == ServiceState.RUNNING) {
                producer.offer(service.input());
            }
            give();
            drain();
            sites.at(Site.USE);
            LockSupport.parkNanos(ROUND_NANOS);
        }
    }

    /** Gives a command and a query. */
    void give() {
        long number = next++;
        follow(0, number, service.command(tick -> run(Site.COMMAND, 0, number, tick)));
        follow(1, number, service.query(tick -> run(Site.QUERY, 1, number, tick)));
    }

    /** Gives more commands than there is room for. */
    void flood() {
        for (int i = 0; i < FLOOD; i++) {
            give();
        }
    }

    private long run(Site site, int lane, long number, long tick) {
        sites.at(site);
        if (sites.cameBack()) {
            throw new IllegalArgumentException("a command that hung came back");
        }
        return commands.run(lane, number, tick);
    }

    private void follow(int lane, long number, CompletableFuture<Answer<Long>> future) {
        commands.follow(lane, number, future);
        CompletableFuture<?> unused = future.whenComplete((answer, thrown) -> sites.at(Site.ANSWER));
    }

    /** Hears what has happened. */
    void drain() {
        try {
            events.drain(this::hear);
        } catch (IllegalArgumentException | StackOverflowError thrown) {
            if (!sites.isPlanted(thrown)) {
                throw thrown;
            }
        }
    }

    /** Gives back the reader's place, which its thread may have left as it was. After the end. */
    void closeReader() {
        reader.close();
    }

    /** Notes a body that comes or goes: {@link Promise#LIFECYCLE_TOLD}. */
    private void hear(BodyEvent event) {
        long id = event.body();
        switch (event.kind()) {
            case SPAWNED -> tell(bodies.add(id), id, "came twice");
            case DESPAWNED -> tell(bodies.remove(id), id, "went and had not come");
            case GAP -> missed = true;
            default -> {
                // contacts
            }
        }
        sites.at(Site.VISIT); // what it was told counts, also if it throws
    }

    private void tell(boolean right, long id, String what) {
        told.that(right || isForgiven(), () -> BodyId.toString(id) + " " + what);
    }

    /** Whether a body was missed, and said so: counted, or by a service whose thread was abandoned where it tells events. */
    boolean isForgiven() {
        return missed || sites.haveHung(Site.EVENTS);
    }

    /** How many bodies there are by what events told. */
    int knownBodies() {
        return bodies.size();
    }
}
