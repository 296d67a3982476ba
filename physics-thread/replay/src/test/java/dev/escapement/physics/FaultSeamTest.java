package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.Await;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.fault.FaultSeam;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Injects one fault at each call of foreign code in turn: an exception, two errors of the virtual machine, an interrupt. After each fault
 * every loss is reported, every future completes, readers and threads are released, and the service either works correctly or is FAILED
 * with the cause.
 */
@Timeout(300)
class FaultSeamTest {

    private static final TickRate RATE = TickRate.hertz(1000);
    private static final int READERS = 2;

    @TempDir
    Path folder;

    @Test
    void shouldBeRightOrFailedAfterFaultsInForeignCode() throws Exception {
        FaultSeam counting = FaultSeam.counting();
        new Run(counting).run();
        List<FaultSeam> seams = counting.oneFaultEach(2);
        assertThat(seams.stream().map(FaultSeam::place).distinct())
                .contains("begin", "step", "capture", "events", "hash", "close", "poll", "paused", "published", "park")
                .contains("command", "query", "spawn", "dependent", "visitor", "source close", "new thread")
                .contains("start thread");
        for (FaultSeam seam : seams) {
            try {
                new Run(seam).run();
            } catch (Throwable broken) {
                throw new AssertionError("after " + seam, broken);
            }
            assertThat(seam.hasStruck()).as("%s was reached", seam).isTrue();
        }
    }

    /** One run of a service that uses every extension point, from its start to its end. */
    private final class Run {

        private final FaultSeam seam;
        private final ServiceThreads threads = new ServiceThreads();
        private final SeamWorld world;
        private final AtomicInteger sourceClosings = new AtomicInteger();
        private final List<CompletableFuture<?>> futures = new ArrayList<>();
        private final List<CompletableFuture<?>> dependents = new ArrayList<>();
        private final List<Throwable> thrownAtCaller = new ArrayList<>();
        private final AtomicLong reported = new AtomicLong();
        private long accepted;

        Run(FaultSeam seam) {
            this.seam = seam;
            world = new SeamWorld(seam);
        }

        void run() throws Exception {
            try (Recording recording = Recording.create(
                    folder.resolve("run" + System.identityHashCode(this)),
                    new RunDescription("seam", "1", "", 0, RATE))) {
                PhysicsService service = start(recording);
                if (service != null) {
                    live(service);
                    for (int i = 0; i < READERS; i++) {
                        assertThat(service.newReader())
                                .as("all places are free")
                                .isNotNull();
                    }
                    service.close();
                    checkEnd(service);
                }
            }
            Await.until(() -> Stream.of("physics", "watchdog", "answers", "recording")
                    .allMatch(name -> threads.alive("escapement-" + name).isEmpty()));
        }

        /**
         * Starts the service. Returns null if the fault prevented the start; then the simulation still belongs to the caller, or was
         * closed.
         */
        private @Nullable PhysicsService start(Recording recording) {
            PhysicsServiceBuilder builder = PhysicsService.builder(world)
                    .rate(RATE)
                    .maxReaders(READERS)
                    .source(new ScriptedSource(ring -> seam.reached("poll"), () -> {
                        sourceClosings.incrementAndGet();
                        seam.reached("source close");
                    }))
                    .with(recording)
                    .pausedInput((event, state) -> {
                        reported.incrementAndGet();
                        seam.reached("paused");
                    })
                    .with(new OnPublish(times -> seam.reached("published")));
            builder.waiter = new SpinningWaiter() {
                @Override
                public void park(long nanos) {
                    seam.reached("park");
                    super.park(nanos);
                }
            };
            builder.threads = work -> {
                seam.reached("new thread");
                return new Thread(work) {
                    @Override
                    public synchronized void start() {
                        seam.reached("start thread");
                        super.start();
                    }
                };
            };
            try {
                PhysicsService service = builder.start();
                // Clears the injected interrupt, which start() left pending, because it would end the waits of this
                // test.
                Thread.interrupted();
                return service;
            } catch (Throwable thrown) {
                assertThat(thrown).isSameAs(seam.thrown().orElseThrow());
                assertThat(world.closings).isEqualTo(seam.place().equals("start thread") ? 1 : 0);
                return null;
            }
        }

        private void live(PhysicsService service) throws Exception {
            EventStream events = service.events(1024);
            use(service);
            awaitTicks(service);
            drain(events);
            service.pause();
            Await.until(() -> service.state() == ServiceState.PAUSED || service.state() == ServiceState.FAILED);
            long reportedBefore = reported.get();
            use(service);
            Await.until(() -> reported.get() > reportedBefore || service.state() == ServiceState.FAILED);
            service.resume();
            awaitTicks(service);
            drain(events);
        }

        private void use(PhysicsService service) {
            if (service.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0)) {
                accepted++;
            }
            futures.add(service.command(tick -> {
                seam.reached("command");
                return tick;
            }));
            futures.add(service.query(tick -> {
                seam.reached("query");
                return tick;
            }));
            futures.add(service.spawn((tick, id) -> {
                        seam.reached("spawn");
                        world.crates.add(id);
                        return id;
                    })
                    .answer());
            CompletableFuture<Answer<Long>> answer = service.command(tick -> tick);
            futures.add(answer);
            dependents.add(answer.thenAccept(given -> seam.reached("dependent")));
            Thread.interrupted(); // clears an injected interrupt, if the dependent ran on this thread
        }

        private void drain(EventStream events) {
            try {
                events.drain(event -> seam.reached("visitor"));
                Thread.interrupted(); // clears an injected interrupt
            } catch (Throwable thrown) {
                thrownAtCaller.add(thrown);
            }
        }

        private void awaitTicks(PhysicsService service) throws InterruptedException {
            long ticks = world.steps + 5;
            Await.until(() -> world.steps >= ticks || service.state() == ServiceState.FAILED);
            if (service.state() == ServiceState.FAILED) {
                Throwable cause = service.failure().orElseThrow();
                assertThat(cause)
                        .isSameAs(seam.thrown().orElseThrow(() -> new AssertionError("nothing was thrown", cause)));
            }
        }

        private void checkEnd(PhysicsService service) throws Exception {
            futures.addAll(dependents);
            for (CompletableFuture<?> future : futures) {
                Await.get(future.handle((answer, thrown) -> true));
            }
            if (seam.hasStruck() && seam.thrown().isEmpty()) {
                assertThat(service.failure()).as("an interrupt is no failure").isEmpty();
                assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
            }
            seam.thrown()
                    .ifPresent(planted -> assertThat(isReported(service, planted))
                            .as("in the failure or a future")
                            .isTrue());
            assertThat(world.closings).isEqualTo(1);
            assertThat(sourceClosings).hasValue(1);
            assertThat(world.inputs + reported.get() + service.input().droppedWhilePaused() + service.pendingInputs())
                    .as("input")
                    .isEqualTo(accepted);
        }

        private boolean isReported(PhysicsService service, Throwable planted) {
            List<Throwable> reported = new ArrayList<>(thrownAtCaller);
            service.failure().ifPresent(reported::add);
            for (CompletableFuture<?> future : futures) {
                Stream.ofNullable(future.handle((answer, thrown) -> thrown).join())
                        .forEach(reported::add);
            }
            return reported.stream().anyMatch(one -> contains(one, planted));
        }

        private static boolean contains(Throwable reported, Throwable planted) {
            return reported == planted
                    || (reported.getCause() != null && contains(reported.getCause(), planted))
                    || Stream.of(reported.getSuppressed()).anyMatch(one -> contains(one, planted));
        }
    }
}
