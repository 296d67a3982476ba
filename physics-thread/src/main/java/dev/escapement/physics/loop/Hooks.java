package dev.escapement.physics.loop;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.internal.FirstFailure;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls all hooks of a run, in their order, and guards each call on its own.
 *
 * <p>Physics thread only, except {@link #attach}, {@link #fault} and {@link #end}. Calls of a tick allocate nothing.
 *
 * @see TickHook
 */
public final class Hooks {

    private final TickHook[] hooks;
    private final AutoCloseable[] ends;
    final UserCodeGuard guard;
    private final RunState state;

    Hooks(List<? extends TickHook> hooks, UserCodeGuard guard, RunState state) {
        this.hooks = hooks.toArray(new TickHook[0]);
        ends = hooks.stream().map(hook -> (AutoCloseable) hook::end).toArray(AutoCloseable[]::new);
        this.guard = guard;
        this.state = state;
    }

    boolean isEmpty() {
        return hooks.length == 0;
    }

    /**
     * Attaches all hooks. If a hook refuses the run, ends the hooks that are attached. Not guarded: the thread that builds the run calls
     * this.
     */
    void attach(TickAccess run) {
        int attached = 0;
        try {
            for (TickHook hook : hooks) {
                hook.attach(run);
                attached++;
            }
        } catch (Throwable refused) {
            for (int i = 0; i < attached; i++) {
                FirstFailure.closeReporting(ends[i], refused::addSuppressed);
            }
            throw refused;
        }
    }

    void begun() throws Exception {
        for (TickHook hook : hooks) {
            guard.call(hook::begun);
        }
    }

    void beforeCommands() throws Exception {
        for (TickHook hook : hooks) {
            guard.enter();
            hook.beforeCommands();
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
            state.breakBy(thrown);
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

    void stepped(TickHook.Stepped tick) {
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

    void published(TickHook.Times times) {
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
    void fault(TickHook.Fault.Reason reason, long tick, @Nullable Throwable thrown, String detail) {
        for (TickHook hook : hooks) {
            try { // a hook that throws must not keep the fault from the next hook, perhaps a flight recorder
                hook.fault(new TickHook.Fault(reason, tick, thrown, detail));
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
