package dev.escapement.physics.loop;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickFault;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.internal.FirstFailure;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls all hooks of a run, in their order, and guards each call on its own.
 *
 * <p>Physics thread only, except {@link #begin}, {@link #fault} and {@link #end}. Calls of a tick allocate nothing.
 *
 * @see TickHook
 */
public final class Hooks {

    private final TickHook[] hooks;
    private final AutoCloseable[] ends;
    final UserCodeGuard guard;

    private @Nullable Throwable thrownAtCommand;

    Hooks(List<? extends TickHook> hooks, UserCodeGuard guard) {
        this.hooks = hooks.toArray(new TickHook[0]);
        ends = hooks.stream().map(hook -> (AutoCloseable) hook::end).toArray(AutoCloseable[]::new);
        this.guard = guard;
    }

    boolean isEmpty() {
        return hooks.length == 0;
    }

    /** The exception of a hook that refused a command, which then did not run; null if none did. */
    @Nullable
    Throwable thrownAtCommand() {
        return thrownAtCommand;
    }

    /**
     * Begins all hooks. If a hook refuses the run, ends the hooks that have begun. Not guarded: the thread that builds the run calls this.
     */
    void begin(TickAccess run) {
        int begun = 0;
        try {
            for (TickHook hook : hooks) {
                hook.begin(run);
                begun++;
            }
        } catch (Throwable refused) {
            for (int i = 0; i < begun; i++) {
                FirstFailure.closeReporting(ends[i], refused::addSuppressed);
            }
            throw refused;
        }
    }

    void start() throws Exception {
        for (TickHook hook : hooks) {
            guard.call(hook::start);
        }
    }

    void between() throws Exception {
        for (TickHook hook : hooks) {
            guard.enter();
            hook.between();
            guard.exit();
        }
    }

    /**
     * Notifies hooks of a command. Call this within user code, where the command itself runs, too. If a hook throws, the command must not
     * run, and the run ends.
     */
    void command(long tick, Object command) {
        try {
            for (TickHook hook : hooks) {
                hook.command(tick, command);
                guard.next();
            }
        } catch (Throwable thrown) {
            thrownAtCommand = thrown;
            throw thrown;
        }
    }

    void stepping(Tick tick) {
        for (TickHook hook : hooks) {
            guard.enter();
            hook.stepping(tick);
            guard.exit();
        }
    }

    void stepped(SteppedTick tick) {
        for (TickHook hook : hooks) {
            guard.enter();
            hook.stepped(tick);
            guard.exit();
        }
    }

    void atRest(long tick, boolean bodiesChanged) {
        for (TickHook hook : hooks) {
            guard.enter();
            hook.atRest(tick, bodiesChanged);
            guard.exit();
        }
    }

    void published(TickTimes times) {
        for (TickHook hook : hooks) {
            guard.enter();
            hook.published(times);
            guard.exit();
        }
    }

    /** Notifies hooks of a seek. Call this within user code, where the restore ran, too. */
    void sought(long tick, boolean resimulates) {
        for (TickHook hook : hooks) {
            hook.sought(tick, resimulates);
            guard.next();
        }
    }

    /**
     * Reports a fault. An exception of a hook is only logged, because the run has failed already. Any thread; a hook that hangs blocks that
     * thread.
     */
    void fault(TickFault.Reason reason, long tick, @Nullable Throwable thrown, String detail) {
        for (TickHook hook : hooks) {
            try { // a hook that throws must not keep the fault from the next hook, perhaps a flight recorder
                hook.fault(new TickFault(reason, tick, thrown, detail));
            } catch (Throwable lost) {
                FailureReport.warn(
                        () -> "A hook received a fault in tick " + tick + ", and threw " + FailureReport.why(lost));
            }
        }
    }

    /** Ends all hooks, also after one has thrown. Allocates nothing, because memory may have run out. Any thread. */
    public void end(Consumer<Throwable> failed) {
        for (AutoCloseable end : ends) {
            FirstFailure.closeReporting(end, failed);
        }
    }
}
