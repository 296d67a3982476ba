package dev.escapement.state.capture.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random worlds of up to three blocks: after any changes, every snapshot that a reader sees is the moment it was. */
class CaptureModelTest {

    private static final int TICKS = 500;
    private static final List<Channel> CHANNELS =
            List.of(new Channel("wheel", Channel.Blending.ANGLE), new Channel("weight", Channel.Blending.STEP));

    private final TreeMap<Long, Moment> history = new TreeMap<>();

    @ParameterizedTest
    @CsvSource({
        "1, 0, false, 3, 1, 0",
        "2, 2, false, 2, 2, 1000",
        "3, 0, false, 3, 2, 5000",
        "4, 2, false, 4, 1, 2000",
        "5, 0, true, 3, 1, 0",
        "11, 1, true, 2, 2, 3000"
    })
    void shouldShowEveryTickAsItWas(
            long seed, int channels, boolean counts, int window, int readers, int preallocated) {
        PoseLayout layout = new PoseLayout(CHANNELS.subList(0, channels));
        CapturedWorld world = new CapturedWorld(window, readers, preallocated, layout);
        run(world, new RandomSimulation(layout, counts, seed), window, readers, seed, () -> {});
    }

    /** Ids are reserved between the ticks and within them, also where generations wrap. */
    @ParameterizedTest
    @CsvSource({"7, 1, 3, 1, 0, 0", "8, 0, 2, 2, 3000, 2147483640"})
    void shouldShowReservedBodiesToo(
            long seed, int channels, int window, int readers, int preallocated, int generation) {
        PoseLayout layout = new PoseLayout(CHANNELS.subList(0, channels));
        CapturedWorld world = new CapturedWorld(window, readers, preallocated, layout, generation);
        RandomSimulation simulation = new RandomSimulation(layout, false, seed);
        RandomReservations reservations = simulation.reserving(world.capture());
        run(world, simulation, window, readers, seed, reservations::live);
        assertThat(reservations.wereUsed()).isTrue();
    }

    private void run(
            CapturedWorld world,
            RandomSimulation simulation,
            int window,
            int readers,
            long seed,
            Runnable betweenTicks) {
        SplittableRandom random = new SplittableRandom(-seed);
        List<RandomReader> attached = new ArrayList<>();
        for (int r = 0; r < readers; r++) {
            attached.add(new RandomReader(world, random, r == 0 ? 2 : 15)); // one keeps up, the others hold on
        }
        int blocks = 0;
        int blocksGone = 0;
        for (int tick = 1; tick <= TICKS; tick++) {
            betweenTicks.run();
            Snapshot snapshot = world.tick(simulation);
            Moment moment = simulation.moment(snapshot);
            history.put(moment.tick(), moment);
            new MomentCheck(snapshot, moment).check();
            assertThat(simulation.isRightAboutIds(snapshot.bodies())).isTrue();
            blocksGone += Math.max(0, blocks - snapshot.poses().blockCount());
            blocks = snapshot.poses().blockCount();
            attached.forEach(RandomReader::live);
            List<Window> windows = attached.stream()
                    .flatMap(reader -> reader.window().stream())
                    .toList();
            long oldest = windows.stream().mapToLong(Window::oldestTick).min().orElse(tick);
            history.headMap(Math.min(oldest, tick - window)).clear();
            windows.forEach(this::check);
        }
        assertThat(blocksGone).isGreaterThan(10);
    }

    private void check(Window window) {
        for (int age = 0; age < window.size(); age++) {
            Snapshot snapshot = window.snapshot(age);
            Moment moment = Objects.requireNonNull(history.get(window.oldestTick() + age));
            MomentCheck check = new MomentCheck(snapshot, moment);
            check.check();
            if (age > 0) {
                check.checkFollows(window.snapshot(age - 1));
            }
        }
    }
}
