package dev.escapement.render.web;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.service.WorldControl;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Carries out what pages want of the world. One thread; the hook for restarts runs in one of its own, because it may take seconds. */
final class Steering {

    private static final String FULL = "the world's input is full; try again";
    private static final System.Logger LOG = System.getLogger("dev.escapement.render");

    private final @Nullable WorldControl world;
    private final @Nullable Runnable onRestart;
    private final NanoClock clock;
    private final AtomicBoolean restarting = new AtomicBoolean();

    /** The page that has taken a body: one at a time. */
    private @Nullable Client dragging;

    /** Whether what was dragged is still to be let go; since when that is in the world's input, as which event. */
    private boolean letsGo;

    private boolean isTold;
    private long toldNanos;
    private long accepted;

    Steering(@Nullable WorldControl world, @Nullable Runnable onRestart, NanoClock clock) {
        this.world = world;
        this.clock = clock;
        this.onRestart = onRestart;
    }

    /**
     * Carries out a message.
     *
     * @return why that is not possible; null if it was done
     */
    @Nullable
    String steer(ClientMessage message, Client client, @Nullable Snapshot newest) {
        if (message.name().equals("restart")) {
            return restart();
        }
        if (world == null) {
            return "this page only shows the world; give LivePage.controls(...) a world to steer";
        }
        if (message instanceof ClientMessage.Scale scale) {
            try {
                world.timeScale(TimeScale.of(scale.value()));
            } catch (IllegalArgumentException e) {
                return e.getMessage();
            }
        } else if (message instanceof ClientMessage.Drag drag) {
            return hold(world, client, drag.body(), newest);
        } else if (message instanceof ClientMessage.DragTo to) {
            return pull(world, client, to, newest);
        } else {
            switch (message.name()) {
                case "pause" -> world.pause();
                case "resume" -> world.resume();
                case "step" -> world.step();
                default -> dragEnd(client);
            }
        }
        return null;
    }

    private @Nullable String hold(WorldControl dragged, Client client, long body, @Nullable Snapshot newest) {
        if (newest == null || !newest.bodies().exists(body)) {
            return "body " + BodyId.toString(body) + " is gone";
        }
        if (dragging != null && dragging != client) {
            return "another page drags a body";
        }
        if (!DragInput.hold(dragged.input(), clock.nanoTime(), body)) {
            return FULL;
        }
        dragging = client;
        letsGo = false;
        return null;
    }

    private @Nullable String pull(
            WorldControl dragged, Client client, ClientMessage.DragTo to, @Nullable Snapshot newest) {
        if (dragging != client || newest == null) {
            return "no body was taken; send 'drag' first";
        }
        boolean accepted = DragInput.to(
                dragged.input(),
                clock.nanoTime(),
                (float) (newest.originX() + to.x()),
                (float) (newest.originY() + to.y()),
                (float) (newest.originZ() + to.z()));
        return accepted ? null : FULL;
    }

    /** Lets go what a page has taken, also when the page is gone. */
    void dragEnd(Client client) {
        if (dragging == client) {
            dragging = null;
            letsGo = true;
            isTold = false;
        }
    }

    /** Lets go what was dragged. Input reaches no tick in a pause, and one may just have begun: then it is told again. */
    void round(Window window) {
        if (!letsGo || world == null) {
            return;
        }
        Snapshot newest = window.newest();
        if (isTold && newest.inputsTaken() >= accepted && newest.dueNanos() - toldNanos >= 0) {
            isTold = false;
            for (int i = 0; i < window.size(); i++) {
                Snapshot tick = window.snapshot(i);
                boolean hadIt = tick.inputsTaken() >= accepted
                        && toldNanos - window.timeline().goesOnNanos(tick.tick() - 1) >= 0
                        && tick.dueNanos() - toldNanos >= 0;
                letsGo &= !hadIt;
            }
        }
        if (letsGo && !isTold) {
            toldNanos = clock.nanoTime();
            isTold = DragInput.end(world.input(), toldNanos);
            accepted = world.input().accepted();
        }
    }

    private @Nullable String restart() {
        if (onRestart == null) {
            return "this page cannot restart the world; give LivePage.onRestart(...) what does";
        }
        if (world != null && world.failure().isEmpty()) {
            return "the world has not failed";
        }
        if (!restarting.compareAndSet(false, true)) {
            return "the world is being restarted";
        }
        Runnable hook = onRestart;
        Thread thread = new Thread(
                () -> {
                    try {
                        hook.run();
                    } catch (RuntimeException | Error e) {
                        LOG.log(System.Logger.Level.ERROR, "The restart that a live page asked for has failed", e);
                    } finally {
                        restarting.set(false);
                    }
                },
                "escapement-live-restart");
        thread.setDaemon(true);
        thread.start();
        return null;
    }
}
