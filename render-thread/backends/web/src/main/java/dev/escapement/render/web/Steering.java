package dev.escapement.render.web;

import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.Rewindable;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Carries out commands from pages. One thread. */
final class Steering {

    private static final String FULL = "the world's input is full; try again";
    private static final String NOT_TAKEN = "no body was taken; send 'drag' first";

    private @Nullable WorldControl world;
    private @Nullable Rewindable rewindable;
    private final NanoClock clock;

    /** The only page that drags a body, or null. */
    private @Nullable Client dragging;

    /** The newest target of the drag, if the world's input had no room for it; otherwise null. */
    private ClientMessage.@Nullable DragTo refusedPull;

    /** True if the page has released the body, but the world's input had no room for the release yet. */
    private boolean lettingGo;

    /** The input of each page that has dragged a body. The page is a sender from its first drag until it is closed. */
    private final Map<Client, TrackedSource> pages = new HashMap<>();

    private @Nullable RemoteSources sources;

    /** The rewinds that the world has not answered yet. */
    private final List<Rewinding> rewinding = new ArrayList<>();

    private record Rewinding(Client client, String what, CompletableFuture<?> done) {}

    /** Input sources of previous worlds, whose rings had no room for all release events. */
    private final List<RemoteSources> before = new ArrayList<>();

    Steering(@Nullable WorldControl world, @Nullable Rewindable rewindable, NanoClock clock) {
        this.clock = clock;
        show(world, rewindable);
    }

    /** Steers another world. All pages leave the previous world as senders of input. */
    void show(@Nullable WorldControl next, @Nullable Rewindable nextRewindable) {
        List.copyOf(pages.keySet()).forEach(this::leave);
        if (sources != null) {
            before.add(sources);
        }
        rewinding.clear();
        world = next;
        rewindable = nextRewindable;
        sources = next == null ? null : new RemoteSources(next.input());
    }

    /** Carries out a message. Returns why it is refused; null if it was done. */
    @Nullable
    String steer(ClientMessage message, Client client, @Nullable Snapshot newest) {
        if (world == null || sources == null) {
            return "this page only shows the world; give LivePage.controls(...) a world to steer";
        }
        if (message instanceof ClientMessage.Scale scale) {
            try {
                world.timeScale(TimeScale.of(scale.value()));
            } catch (IllegalArgumentException e) {
                return e.getMessage();
            }
        } else if (message instanceof ClientMessage.Drag drag) {
            return hold(sources, client, drag.body(), newest);
        } else if (message instanceof ClientMessage.DragTo to) {
            return pull(client, to);
        } else if (message instanceof ClientMessage.Wheel wheel) {
            return turn(client, wheel);
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

    private @Nullable String hold(RemoteSources from, Client client, long body, @Nullable Snapshot newest) {
        if (newest == null || !newest.bodies().exists(body)) {
            return "body " + BodyId.toString(body) + " is gone";
        }
        offerRefused();
        if (dragging != null && dragging != client) {
            return "another page drags a body";
        }
        if (lettingGo) {
            return FULL;
        }
        TrackedSource source = pages.get(client);
        if (source == null) {
            try {
                source = from.join();
            } catch (IllegalStateException full) { // a check before would be useless, because other threads join, too
                return "the world has its maximum of senders; wait until one leaves";
            }
            pages.put(client, source);
        }
        if (!DragInput.hold(source, clock.nanoTime(), body)) {
            return FULL;
        }
        dragging = client;
        refusedPull = null;
        return null;
    }

    private @Nullable String pull(Client client, ClientMessage.DragTo to) {
        TrackedSource source = pages.get(client);
        if (dragging != client || source == null) {
            return NOT_TAKEN;
        }
        boolean accepted = DragInput.to(source, clock.nanoTime(), to.x(), to.y(), to.z());
        refusedPull = accepted ? null : to;
        return null;
    }

    /** Offers the wheel only for a page that drags. On other pages the wheel zooms the camera, which is no input of the world. */
    private @Nullable String turn(Client client, ClientMessage.Wheel wheel) {
        TrackedSource source = pages.get(client);
        if (dragging != client || source == null) {
            return NOT_TAKEN;
        }
        float x = (float) wheel.x();
        return source.offer(clock.nanoTime(), InputKind.WHEEL, 0, x, (float) wheel.y()) ? null : FULL;
    }

    private void dragEnd(Client client) {
        lettingGo |= dragging == client;
        offerRefused();
    }

    /** Offers again what the world's input had no room for: the target of the drag, and then the release of the body. */
    private void offerRefused() {
        if (dragging == null) {
            lettingGo = false;
            return;
        }
        if (refusedPull != null) {
            pull(dragging, refusedPull);
        }
        if (lettingGo
                && refusedPull == null
                && DragInput.end(Objects.requireNonNull(pages.get(dragging)), clock.nanoTime())) {
            dragging = null;
            lettingGo = false;
        }
    }

    void leave(Client client) {
        TrackedSource source = pages.remove(client);
        if (source != null && sources != null) {
            sources.leave(source);
            dragging = dragging == client ? null : dragging;
        }
    }

    /**
     * Requests a rewind of the world.
     *
     * @param tick    the tick's published number, which pages know
     * @param rewinds translates the published number into the simulation's number
     * @return why that is refused; null if the world will answer
     */
    @Nullable
    String rewind(Client client, long tick, Rewinds rewinds) {
        if (rewindable == null || !rewindable.canRewind()) {
            return "this world cannot go back: it is only shown, keeps no past, or repeats another";
        }
        if (rewinding.stream().anyMatch(one -> one.client == client)) {
            return "it goes back already";
        }
        try {
            long simulated = rewinds.simulated(tick);
            String what = tick == simulated ? "" : ". Tick " + tick + " here is " + simulated + " of the simulation";
            rewinding.add(new Rewinding(client, what, rewindable.rewind(simulated)));
            return null;
        } catch (IllegalArgumentException | IllegalStateException refused) {
            return refused.getMessage();
        }
    }

    /** Returns whether the world has answered the request. If the world did not rewind, tells the page why. */
    private boolean answer(Rewinding one) {
        if (!one.done.isDone()) {
            return false;
        }
        try {
            one.done.join();
        } catch (CompletionException | CancellationException refused) {
            Throwable why = refused;
            while (why.getCause() != null) {
                why = why.getCause();
            }
            one.client.report(new PageMessage.Refused("rewind", PageMessage.cut(why.getMessage() + one.what)));
        }
        return true;
    }

    /** Answers pages that requested a rewind, and retries refused pulls and releases. */
    void round() {
        offerRefused();
        rewinding.removeIf(this::answer);
        if (sources != null) {
            sources.release();
        }
        before.removeIf(RemoteSources::release);
    }

    /** Removes all pages. Offers the remaining release events, and waits until there is room. */
    void close() {
        List.copyOf(pages.keySet()).forEach(this::leave);
        if (sources != null) {
            sources.close();
        }
        before.forEach(RemoteSources::close);
    }
}
