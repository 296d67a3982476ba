package dev.escapement.render.web;

import dev.escapement.render.Succession;
import dev.escapement.render.tools.History;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.world.Rewindable;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The work of the page's own thread. It takes windows and metrics, keeps the history, and sends each client as much as that client can
 * take.
 *
 * <pre>{@code
 * while (pacer.awaitUntil(nextNanos)) {
 *     sender.round();
 * }
 * }</pre>
 *
 * <p>One thread, except {@link #isFull}, {@link #arrived} and {@link #show}. Nothing in a round waits. An error with one client ends that
 * client only.
 */
final class Sender {

    static final int MAX_CLIENTS = 8;

    private static final System.Logger LOG = System.getLogger("dev.escapement.render");
    private static final String NO_WORLDS = "this page shows one world; give LivePage.worlds(...) a list of others";
    private static final int MAX_HISTORY_TICKS = 10_000_000;
    private static final long MAX_HISTORY_BYTES = 256L << 20;
    private static final long MAX_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Instruments instruments;
    private final LivePageBuilder settings;
    private final @Nullable WorldList worlds;
    final NanoClock clock;
    private final long startNanos;
    private final Steering steering;

    // The current world.
    private SnapshotReader reader;
    private @Nullable WorldControl world;
    private @Nullable Rewindable rewindable;
    private PictureEncoder encoder;
    private WorldState state;
    private @Nullable Shapes shapes;
    private @Nullable Joints joints;

    /** The next world, shown once its reader has a window. */
    private record Next(SnapshotReader reader, WorldControl world) {}

    private final Succession<Next> succession =
            new Succession<>(next -> next.reader.acquire(), next -> next.reader.close());

    /** Volatile: the page's thread writes it, threads of connections read it. */
    private volatile boolean ended;

    /** The clients. Threads of connections add clients while they hold the list's lock; the page's thread removes clients. */
    final List<Client> clients = new CopyOnWriteArrayList<>();

    private @Nullable History history;
    private @Nullable Playback playback;
    private Rewinds rewinds = new Rewinds();
    private int windows;

    /**
     * Creates the sender for the world of the settings.
     *
     * @param worlds the worlds that pages can open; null for none
     */
    Sender(LivePageBuilder settings, NanoClock clock, @Nullable WorldList worlds) {
        this.settings = settings;
        this.clock = clock;
        this.worlds = worlds;
        reader = settings.reader;
        world = settings.controls;
        rewindable = settings.rewindable;
        startNanos = clock.nanoTime();
        encoder = new PictureEncoder(startNanos);
        instruments = new Instruments(world, startNanos);
        steering = new Steering(world, rewindable, clock);
        shapes = world == null ? null : new Shapes(world, startNanos);
        joints = world == null ? null : new Joints(world, startNanos);
        state = new WorldState(world, settings.counts, startNanos);
    }

    /** Shows another world, from the round in which it has a window. Any thread. */
    void show(SnapshotReader nextReader, WorldControl nextWorld) {
        succession.submit(new Next(nextReader, nextWorld));
    }

    /** Changes to the next world, if there is one with a window. Returns whether it did. */
    private boolean changeWorld(long nowNanos) {
        Next next = succession.take();
        if (next == null) {
            return false;
        }
        clients.forEach(Client::beginAnotherWorld);
        reader.close();
        reader = next.reader;
        world = next.world;
        rewindable = null;
        encoder = new PictureEncoder(startNanos);
        shapes = new Shapes(next.world, nowNanos);
        joints = new Joints(next.world, nowNanos);
        state = new WorldState(next.world, settings.counts, nowNanos);
        steering.show(next.world, null);
        instruments.show(next.world);
        history = null;
        playback = null;
        rewinds = new Rewinds();
        return true;
    }

    private String title() {
        String name = worlds == null ? "" : nameOf(world);
        return name.isEmpty() ? settings.title : settings.title + " – " + name;
    }

    private static String nameOf(@Nullable WorldControl named) {
        return named == null ? "" : named.name();
    }

    /** Whether no further client may connect. Any thread. */
    boolean isFull() {
        return ended || clients.size() >= MAX_CLIENTS;
    }

    /** Whether the page was closed. Any thread. */
    boolean hasEnded() {
        return ended;
    }

    /**
     * Adds a client. Returns false if the page was closed or there are too many clients; then the client must be closed. Threads of
     * connections call it.
     */
    boolean arrived(Client client) {
        synchronized (clients) {
            return !isFull() && clients.add(client);
        }
    }

    /** The time between rounds, at most a tick, so that no window is missed. */
    long periodNanos() {
        TickRate rate = rate();
        long tickNanos = rate == null ? MAX_PERIOD_NANOS : rate.nanosAt(1);
        return Math.max(MAX_PERIOD_NANOS / 5, Math.min(MAX_PERIOD_NANOS, tickNanos));
    }

    private @Nullable TickRate rate() {
        return world != null
                ? world.rate()
                : reader.hasWindow() ? reader.window().timeline().rate() : null;
    }

    void round() {
        long nowNanos = clock.nanoTime();
        instruments.take(!clients.isEmpty());
        boolean isNew = changeWorld(nowNanos) || reader.acquire();
        Window window = reader.hasWindow() ? reader.window() : null;
        List<PageMessage> messages = new ArrayList<>();
        if (isNew && window != null) {
            windows++;
            state.seen(nowNanos);
            keep(window, messages);
        }
        messages.addAll(instruments.messages(nowNanos));
        PageMessage how = clients.isEmpty() ? null : state.message(window, history, nowNanos);
        if (how != null) {
            messages.add(how);
        }
        List<String> texts = messages.stream().map(PageMessage::json).toList();
        if (window != null && playback != null) {
            encoder.begin(window, windows, nowNanos);
        }
        for (Client client : clients) {
            serve(client, window, texts, nowNanos);
        }
        if (worlds != null) {
            Next next = succession.successor();
            worlds.round(clients, nameOf(world), nameOf(next == null ? null : next.world));
        }
        steering.round();
        if (shapes != null && joints != null && window != null && !clients.isEmpty()) {
            shapes.round(window.newest(), clients, nowNanos);
            joints.round(window.newest().tick(), clients, nowNanos);
        }
    }

    /** Adds the new ticks of a window to the history, and a message if the run did rewind. */
    private void keep(Window window, List<PageMessage> messages) {
        if (history == null) {
            double ticks = settings.historySeconds * window.timeline().rate().inHertz();
            history = new History((int) Math.max(1, Math.min(MAX_HISTORY_TICKS, ticks)), MAX_HISTORY_BYTES);
            playback = new Playback(history, encoder);
        }
        long kept = history.newestTick(); // NEVER_WRITTEN, less than all ticks, if no tick is kept
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (snapshot.tick() > kept) {
                history.add(snapshot);
                PageMessage rewound = rewinds.add(snapshot, history.oldestTick());
                if (rewound != null) {
                    messages.add(rewound);
                }
            }
        }
    }

    private void serve(Client client, @Nullable Window window, List<String> texts, long nowNanos) {
        try {
            client.checkAlive(nowNanos);
            if (client.gone) {
                remove(client);
                return;
            }
            if (!client.greeted && !client.closing && !greet(client)) {
                return;
            }
            ClientMessage message;
            while ((message = client.nextMessage()) != null) {
                answer(client, message, window);
            }
            texts.forEach(client::text);
            if (window != null && playback != null) {
                send(client, window, playback);
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "A client of the live page is closed, because of the error below", e);
            client.close(Client.ERROR, "the live page has an error; see the log");
        }
    }

    private void remove(Client client) {
        clients.remove(client);
        steering.leave(client);
        encoder.leave(client.shown);
    }

    /** Sends the first message of a world, once the rate that it contains is known and there is room for it. */
    private boolean greet(Client client) {
        TickRate rate = rate();
        if (rate == null || !client.hasRoom()) {
            return false;
        }
        client.greeted = true;
        state.sayAgain();
        client.report(new PageMessage.Hello(
                1,
                List.of(rate.numerator(), rate.denominator()),
                world != null,
                rewindable != null && rewindable.canRewind(),
                worlds != null,
                settings.historySeconds,
                PageMessage.cut(title()),
                world == null ? "" : PageMessage.cut(world.threadGrants().granted()),
                world == null ? "" : PageMessage.cut(world.threadGrants().toString())));
        return true;
    }

    private void answer(Client client, ClientMessage message, @Nullable Window window) {
        if (client.closing) {
            return; // its messages are read only so that its close frame arrives
        }
        if (message instanceof ClientMessage.Malformed malformed) {
            client.close(malformed.closeCode(), malformed.why());
        } else if (message instanceof ClientMessage.Ack ack) {
            if (!client.acknowledge(ack.sequence())) {
                client.close(Client.POLICY, "a picture was acknowledged that was not sent");
            }
        } else {
            String why = answerOrRefuse(client, message, window);
            if (why != null) {
                client.report(new PageMessage.Refused(message.name(), why));
            }
        }
    }

    private @Nullable String answerOrRefuse(Client client, ClientMessage message, @Nullable Window window) {
        if (message instanceof ClientMessage.Impossible impossible) {
            return impossible.why();
        } else if (message instanceof ClientMessage.Worlds wanted) {
            client.worldFilter = wanted.filter();
            return worlds == null ? NO_WORLDS : null;
        } else if (message instanceof ClientMessage.Open wanted) {
            return worlds == null ? NO_WORLDS : open(worlds, wanted.world());
        } else if (!client.knowsWorld) {
            return "it was meant for the world that was shown before";
        } else if (message instanceof ClientMessage.Past past) {
            if (playback == null || client.requests.size() >= Client.MAX_REQUESTS) {
                return "others wait already, or nothing is kept yet";
            }
            client.requests.add(new Playback.Request(past));
            return null;
        } else if (message instanceof ClientMessage.Rewind rewind) {
            return steering.rewind(client, rewind.tick(), rewinds);
        }
        return steering.steer(message, client, window == null ? null : window.newest());
    }

    /** Opens a world of the list. Returns why it is not opened; null if it is. */
    private @Nullable String open(WorldList list, String name) {
        Next before = succession.successor();
        String why = list.open(name);
        return why == null && Objects.equals(succession.successor(), before)
                ? "nothing was shown for world '" + name + "': it has ended"
                : why;
    }

    private void send(Client client, Window window, Playback past) {
        if (client.takesPicture(windows)) {
            client.live(windows, encoder.live(client.shown));
        }
        past.serve(client, window.timeline());
    }

    /** Ends the page: sends all clients the last state of the world, and closes them. The page's thread calls it after the last round. */
    void close() {
        synchronized (clients) { // a client that arrives now is refused, or gets the close frame below
            ended = true;
        }
        try {
            sayHowItIs();
        } catch (RuntimeException e) { // counts() is the application's code
            LOG.log(System.Logger.Level.ERROR, "Pages do not get the last state of the world", e);
        } finally {
            try {
                for (Client client : clients) {
                    client.close(Client.GOING_AWAY, Client.PAGE_CLOSED);
                }
                instruments.close();
                steering.close();
            } finally {
                try {
                    reader.close();
                } finally {
                    succession.close();
                }
            }
        }
    }

    private void sayHowItIs() {
        state.sayAgain();
        Window window = reader.hasWindow() ? reader.window() : null;
        PageMessage last = state.message(window, history, clock.nanoTime());
        for (Client client : clients) {
            if (client.greeted && last != null) {
                client.report(last);
            }
        }
    }
}
