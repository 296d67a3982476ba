package dev.escapement.physics.replay.flight;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** Masses with a bug, which fail in one of many ways at a certain input or command. */
@NullMarked
public class FailingMasses extends PushedMasses {

    static final int MASSES = 20;
    static final int FATAL = 7;
    static final RunDescription RUN = new RunDescription("masses", "1", "20", 0, TickRate.hertz(100));

    enum Way {
        NOT_AT_ALL,
        STEP,
        CAPTURE,
        COMMAND,
        NOT_FINITE
    }

    private final Way way;
    private boolean fatal;

    FailingMasses(Way way) {
        super(MASSES);
        this.way = way;
    }

    @Override
    public void step(Tick tick) {
        fatal = false;
        for (int i = 0; i < tick.input().size(); i++) {
            fatal |= tick.input().event(i).code() == FATAL;
        }
        super.step(tick);
        if (fatal && way == Way.STEP) {
            throw new IllegalStateException("bodies overlap");
        }
    }

    @Override
    public CommandHandlers commands() {
        return new CommandHandlers().on(Push.TYPE, (tick, push) -> {
            push(push.body(), 0, push.dvy(), 0);
            if (push.body() == FATAL && way == Way.COMMAND) {
                throw new ArithmeticException("no such push");
            }
            return push.body();
        });
    }

    @Override
    public void capture(PoseWriter poses) {
        if (fatal && way == Way.CAPTURE) {
            throw new UnsupportedOperationException("no such pose");
        }
        if (fatal && way == Way.NOT_FINITE) {
            poses.bodyCount(MASSES);
            for (int body = 0; body < MASSES; body++) {
                poses.set(body, body == 1 ? Float.NaN : body, 0, 0, 0, 0, 0, 1);
            }
            return;
        }
        super.capture(poses);
    }

    static List<Path> files(Path folder, String prefix) {
        File[] files = Objects.requireNonNull(folder.toFile().listFiles((in, name) -> name.startsWith(prefix)));
        return Stream.of(files).map(File::toPath).toList();
    }

    /** A driver of these masses, with input or a command in each tick, one of which is fatal. */
    static final class Game implements AutoCloseable {

        final ManualClock clock = new ManualClock(0);
        final InlineDriver driver;
        private final long fatalTick;
        private long tick;

        static Game of(Way way, FlightRecorder recorder, long fatalTick) {
            return new Game(PhysicsService.builder(new FailingMasses(way)), recorder, fatalTick);
        }

        Game(TickHook hook, FlightRecorder recorder) {
            this(PhysicsService.builder(new FailingMasses(Way.NOT_AT_ALL)).with(hook), recorder, 0);
        }

        Game(PhysicsServiceBuilder builder, FlightRecorder recorder, long fatalTick) {
            driver = builder.with(PunctualKeeper.of(recorder)).inline(clock);
            this.fatalTick = fatalTick;
        }

        void play(long toTick) {
            while (tick < toTick) {
                tick++;
                InputRing input = driver.input();
                if (tick % 3 == 0) {
                    input.offer(clock.nanoTime() + 1, InputKind.APPLICATION, (int) (tick % 5), 0, 0.5f);
                }
                if (tick % 7 == 0) {
                    InputKind kind = tick % 2 == 0 ? InputKind.KEY_DOWN : InputKind.KEY_UP;
                    input.offer(clock.nanoTime() + 2, kind, 87, 0, 0);
                }
                if (tick % 10 == 0) {
                    var unused = driver.command(Push.TYPE, new Push((int) (tick % 6), 0.25));
                }
                if (tick == fatalTick) {
                    input.offer(clock.nanoTime() + 3, InputKind.APPLICATION, FATAL, 0, 0.5f);
                    var unused = driver.command(Push.TYPE, new Push(FATAL, 1));
                }
                clock.advance(10_000_000);
                driver.runDueTicks();
            }
        }

        @Override
        public void close() {
            driver.close();
        }
    }
}
