package dev.escapement.physics.replay;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.Tick;
import dev.escapement.physics.TickListener;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.lang.reflect.Field;
import java.nio.file.Path;
import org.jspecify.annotations.NullMarked;

/**
 * Masses with a bug: they fail in one of many ways once enough input was applied, which is part of their state. Also the program that dies
 * of it: {@code FailingMasses FOLDER WAY TICK}, or {@code FailingMasses FILE WAY} to repeat that from a file.
 */
@NullMarked
public class FailingMasses extends PushedMasses {

    static final int MASSES = 20;
    static final int FATAL = 7;
    static final RunDescription RUN = new RunDescription("masses", "1", "20", 0, TickRate.hertz(100));
    static final int HALT_CODE = 3;

    /** In what call, and how. */
    enum Way {
        NOT_AT_ALL,
        STEP,
        CAPTURE,
        COMMAND,
        LISTENER,
        NOT_FINITE,
        HALT,
        SEGFAULT,
        HALT_IN_COMMAND
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
        if (fatal) {
            switch (way) {
                case STEP -> throw new IllegalStateException("bodies overlap");
                case HALT -> Runtime.getRuntime().halt(HALT_CODE);
                case SEGFAULT -> segfault();
                default -> {}
            }
        }
    }

    @Override
    public CommandHandlers commands() {
        return new CommandHandlers().on(Push.TYPE, (tick, push) -> {
            push(push.body(), 0, push.dvy(), 0);
            if (push.body() == FATAL && way == Way.COMMAND) {
                throw new ArithmeticException("no such push");
            }
            if (push.body() == FATAL && way == Way.HALT_IN_COMMAND) {
                Runtime.getRuntime().halt(HALT_CODE);
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

    /** Throws in the same tick as the simulation would. */
    TickListener listener() {
        return (tick, dueNanos, startedNanos, steppedNanos, publishedNanos) -> {
            if (fatal && way == Way.LISTENER) {
                throw new IllegalArgumentException("no such score");
            }
        };
    }

    /** A driver of these masses that plays them at each tick, and fatally at one of them. */
    static final class Game implements AutoCloseable {

        final ManualClock clock = new ManualClock(0);
        final InlineDriver driver;
        private final long fatalTick;
        private long tick;

        Game(FailingMasses masses, TickListener listener, FlightRecorder recorder, long fatalTick) {
            this(PhysicsService.builder(masses).listener(listener), recorder, fatalTick);
        }

        Game(PhysicsServiceBuilder builder, FlightRecorder recorder, long fatalTick) {
            driver = builder.flightRecorder(recorder).inline(clock);
            this.fatalTick = fatalTick;
        }

        /** Runs up to a tick. */
        void play(long toTick) {
            while (tick < toTick) {
                tick++;
                if (tick % 3 == 0) {
                    driver.input().offer(clock.nanoTime() + 1, InputKind.APPLICATION, (int) (tick % 5), 0, 0.5f);
                }
                if (tick % 7 == 0) {
                    driver.input()
                            .offer(
                                    clock.nanoTime() + 2,
                                    tick % 2 == 0 ? InputKind.KEY_DOWN : InputKind.KEY_UP,
                                    87,
                                    0,
                                    0);
                }
                if (tick % 10 == 0) {
                    var unused = driver.command(Push.TYPE, new Push((int) (tick % 6), 0.25));
                }
                if (tick == fatalTick) {
                    driver.input().offer(clock.nanoTime() + 3, InputKind.APPLICATION, FATAL, 0, 0.5f);
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

    private static void segfault() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field field = unsafe.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            unsafe.getMethod("putAddress", long.class, long.class).invoke(field.get(null), 1L << 20, 0L);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Dies in a tick, or waits there to be killed; or repeats a file. */
    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments[0]);
        Way way = Way.valueOf(arguments[1]);
        if (arguments.length == 2) {
            System.out.println(InputLog.open(path).repeat(() -> new FailingMasses(way)));
            return;
        }
        FailingMasses masses = new FailingMasses(way);
        long lastTick = Long.parseLong(arguments[2]);
        Game game =
                new Game(masses, masses.listener(), FlightRecorder.in(path, RUN).maxBytes(8 << 20), lastTick);
        game.play(lastTick);
        System.out.println("alive");
        System.in.read(); // until it is killed
    }
}
