package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.github.stephengold.joltjni.Body;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickDriver;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.Scrubber;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.physics.replay.SyncTest;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of a game's own world, saved and restored. */
class JoltRestoreTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BOXES = 12;

    /** A box comes, or the newest one goes. */
    private record Change(boolean comes) {

        static final CommandType<Change, Integer> TYPE = CommandType.of(
                "change", 1, (change, to) -> to.writeBoolean(change.comes()), from -> new Change(from.readBoolean()));
    }

    /** A world and what it shows, as a game has it. */
    private static final class Game {

        final JoltGameWorld world = new JoltGameWorld();
        final List<Body> boxes = new ArrayList<>();
        final JoltWorldSimulation simulation;

        Game() {
            for (int box = 0; box < BOXES; box++) {
                boxes.add(world.addBox(0.3 * (box % 3), 1 + 1.1 * box));
            }
            simulation = world.simulateWithoutContacts();
            boxes.forEach(box -> simulation.attach(box, boxes.indexOf(box)));
            simulation.commands().on(Change.TYPE, (tick, change) -> change(change.comes()));
        }

        int change(boolean comes) {
            if (comes) {
                boxes.add(world.addBox(1, 20));
                simulation.attach(boxes.get(boxes.size() - 1), boxes.size());
            } else {
                Body gone = boxes.remove(boxes.size() - 1);
                simulation.detach(gone);
                world.remove(gone);
            }
            return boxes.size();
        }
    }

    private final Deque<Game> games = new ArrayDeque<>();
    private final ManualClock clock = new ManualClock(0);

    @TempDir
    private Path folder;

    private Game newGame() {
        games.push(new Game());
        return games.element();
    }

    @AfterEach
    void close() {
        games.forEach(game -> {
            game.simulation.close();
            game.world.close();
        });
    }

    @Test
    void theSameTicksFollowARestoredState() throws Exception {
        Game game = newGame();
        TickDriver ticks = new TickDriver(game.simulation, RATE);
        ticks.step(60); // in the middle of the fall, with contacts
        StateBuffer saved = new StateBuffer();
        game.simulation.save(saved);
        List<Long> once = hashes(game, ticks);
        saved.rewind();
        game.simulation.restore(saved);
        assertThat(hashes(game, ticks)).isEqualTo(once).doesNotHaveDuplicates();
        Game alike = newGame();
        saved.rewind();
        alike.simulation.restore(saved);
        assertThat(hashes(alike, new TickDriver(alike.simulation, RATE))).isEqualTo(once);
    }

    private static List<Long> hashes(Game game, TickDriver ticks) throws Exception {
        List<Long> hashes = new ArrayList<>();
        for (int tick = 0; tick < 100; tick++) {
            ticks.step(1);
            hashes.add(game.simulation.hash());
        }
        return hashes;
    }

    @Test
    void nothingIsFoundWhenEveryTickIsSteppedTwice() {
        SyncTest test = SyncTest.of(newGame().simulation);
        try (InlineDriver driver = PhysicsService.builder(test).inline(clock)) {
            for (int tick = 0; tick < 200; tick++) {
                if (tick % 40 == 20) {
                    assertThat(driver.command(Change.TYPE, new Change(tick % 80 == 20)))
                            .isNotDone();
                }
                clock.advance(10_000_000);
                driver.runDueTicks();
            }
        }
        assertThat(test.divergence()).isEmpty();
    }

    @Test
    void aStateOfOtherBodiesIsRefusedWithTheirIds() throws Exception {
        Game game = newGame();
        StateBuffer saved = new StateBuffer();
        game.simulation.save(saved);
        int gone = game.boxes.get(BOXES - 1).getId();
        game.change(false);
        game.change(true);
        game.change(true);
        int came = game.boxes.get(BOXES).getId();
        saved.rewind();
        assertThatIllegalStateException()
                .isThrownBy(() -> game.simulation.restore(saved))
                .withMessageContaining("by Jolt's ids, [" + Integer.toString(gone))
                .withMessageContaining(Integer.toString(came) + "] have come since");
    }

    /** Of bodies that nobody attached, Jolt itself notices. */
    @Test
    void aStateOfAnotherWorldIsRefused() {
        Game game = newGame();
        StateBuffer saved = new StateBuffer();
        game.simulation.save(saved);
        game.world.addBox(9, 9);
        saved.rewind();
        assertThatIllegalStateException()
                .isThrownBy(() -> game.simulation.restore(saved))
                .withMessageContaining("it has other bodies or constraints than when they were saved");
    }

    @Test
    void scrubbingGoesOverBodiesThatComeAndGo() throws Exception {
        Path file = folder.resolve("run");
        try (Recording recording =
                        Recording.create(file, new RunDescription("jolt", JoltWorldSimulation.version(), "", 0, RATE));
                InlineDriver driver = PhysicsService.builder(newGame().simulation)
                        .rate(RATE)
                        .record(recording)
                        .inline(clock)) {
            for (int tick = 0; tick < 100; tick++) {
                if (tick % 20 == 10) {
                    assertThat(driver.command(Change.TYPE, new Change(tick % 40 == 10)))
                            .isNotDone();
                }
                clock.advance(10_000_000);
                driver.runDueTicks();
            }
        }
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), () -> newGame().simulation, PoseLayout.PLAIN)) {
            for (int tick : new int[] {100, 15, 5, 35, 99, 1}) {
                boolean more = (tick > 10 && tick <= 30) || (tick > 50 && tick <= 70) || tick > 90;
                assertThat(scrubber.goTo(tick).bodies().count())
                        .as("tick %s", tick)
                        .isEqualTo(more ? BOXES + 1 : BOXES);
            }
            assertThat(scrubber.divergence()).isEmpty();
        }
    }
}
