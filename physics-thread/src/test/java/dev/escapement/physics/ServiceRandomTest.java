package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.UnreliableCrates.Shared;
import dev.escapement.physics.command.Command;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that do all that a service lets them do, in any order, while its simulations throw and hang, and others start over. */
@Timeout(60)
class ServiceRandomTest {

    private static final long FIRE_NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    private static final int USERS = 3;

    /** Most hanging threads are to be abandoned before they come back. */
    private static final int RARELY = 100;

    private final ServiceThreads threads = new ServiceThreads();
    private final Shared shared = new Shared();
    private final AtomicReference<@Nullable PhysicsService> current = new AtomicReference<>();
    private final List<PhysicsService> ended = new CopyOnWriteArrayList<>();
    private final Queue<CompletableFuture<?>> futures = new ConcurrentLinkedQueue<>();

    /** Which world every tick was of that anybody has seen. */
    private final Map<Long, Long> markOfTick = new ConcurrentHashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepItsPromisesUnderRandomFire(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        current.set(start(random, 1));
        long end = System.nanoTime() + FIRE_NANOS;
        List<FutureTask<Integer>> users = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            RandomGenerator own = random.split();
            users.add(start(() -> fire(own, end)));
        }
        for (FutureTask<Integer> user : users) {
            assertThat(user.get()).isPositive();
        }
        PhysicsService last = current();
        last.close();
        for (CompletableFuture<?> future : futures) {
            boolean completed = Await.get(future.handle((answer, thrown) -> true));
            assertThat(completed).isTrue();
        }
        assertThat(last.state()).isIn(ServiceState.CLOSED, ServiceState.FAILED);
        assertThat(last.failure().isPresent()).isEqualTo(last.state() == ServiceState.FAILED);
        assertThat(ended).isNotEmpty().allMatch(service -> service.state() == ServiceState.FAILED);
        assertThat(markOfTick).isNotEmpty();
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws InterruptedException {
        List<Thread> physics = threads.alive("escapement-physics");
        for (Thread watchdog : threads.alive("escapement-watchdog")) {
            watchdog.join();
        }
        for (Thread thread : physics) {
            Await.until(() -> !thread.isAlive() || shared.hanging().contains(thread));
        }
        shared.letAllComeBack();
        for (Thread thread : physics) {
            thread.join(); // nothing keeps those that come back
        }
    }

    private PhysicsService start(RandomGenerator random, long firstTick) {
        PhysicsServiceBuilder builder = PhysicsService.builder(new UnreliableCrates(random, shared))
                .rate(TickRate.hertz(2000))
                .firstTick(firstTick)
                .maxReaders(USERS - 1)
                .commands(64, 8)
                .watchdog(8);
        builder.closeTimeoutNanos = 50_000_000;
        return builder.start();
    }

    private PhysicsService current() {
        return Objects.requireNonNull(current.get());
    }

    private int fire(RandomGenerator random, long end) throws Exception {
        int shots = 0;
        while (System.nanoTime() - end < 0) {
            PhysicsService service = current();
            switch (random.nextInt(12)) {
                case 0 -> futures.add(service.command(tick -> tick));
                case 1 -> futures.add(service.query(tick -> tick));
                case 2 ->
                    futures.add(service.spawn((tick, id) -> shared.add(id)).answer());
                case 3 -> service.pause();
                case 4 -> service.step();
                case 5 -> service.timeScale(new TimeScale(1 + random.nextInt(8), 4));
                case 6 -> listen(service, random);
                case 7 -> read(service, random);
                case 8 -> startOver(service, random);
                case 9 -> letOneComeBack(random.nextInt(RARELY) == 0);
                case 10 -> futures.add(service.command(mayHang(random.nextInt(RARELY) == 0)));
                default -> service.resume();
            }
            shots++;
        }
        return shots;
    }

    private void letOneComeBack(boolean now) {
        if (now) {
            shared.letOneComeBack();
        }
    }

    private Command<Boolean> mayHang(boolean hangs) {
        return tick -> hangs && shared.hang();
    }

    /** All readers may be taken, but nothing else may be wrong. */
    private void read(PhysicsService service, RandomGenerator random) {
        try (SnapshotReader reader = service.newReader()) {
            long last = 0;
            for (int i = random.nextInt(5_000); i >= 0; i--) {
                if (reader.acquire()) {
                    assertThat(reader.window().newestTick()).isGreaterThanOrEqualTo(last);
                    last = reader.window().newestTick();
                    for (int s = 0; s < reader.window().size(); s++) {
                        look(reader.window().snapshot(s), reader.window().oldestTick() + s);
                    }
                }
            }
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageMatching(".*readers are attached.*|this service was closed.*");
        }
    }

    private void look(Snapshot snapshot, long tick) {
        assertThat(snapshot.tick()).isEqualTo(tick);
        long mark = UnreliableCrates.mark(snapshot);
        Long before = markOfTick.putIfAbsent(tick, mark);
        assertThat(before == null ? mark : before)
                .as("the world of tick %s", tick)
                .isEqualTo(mark);
    }

    /** Another thread may have closed the service: then there are none. */
    private static void listen(PhysicsService service, RandomGenerator random) {
        long[] last = new long[1];
        try (EventStream events = service.events(16)) {
            for (int i = random.nextInt(2000); i >= 0; i--) {
                events.drain(event -> {
                    assertThat(event.tick()).isGreaterThanOrEqualTo(last[0]);
                    last[0] = event.tick();
                });
            }
        }
    }

    private void startOver(PhysicsService service, RandomGenerator random) {
        if (service.state() == ServiceState.FAILED) {
            synchronized (current) {
                if (service == current()) {
                    service.close();
                    ended.add(service);
                    current.set(start(random, service.lastTick() + 1));
                }
            }
        }
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "user");
        thread.setDaemon(true);
        thread.start();
        return task;
    }
}
