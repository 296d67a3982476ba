package dev.escapement.render.web;

import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.service.FigureRing;
import dev.escapement.state.service.WorldControl;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What pages are told besides pictures: the figures of ticks and frames, what the machine did, and contacts. Put together once for all pages, every
 * 50 ms.
 *
 * <p>One thread, except {@link #frames}.
 */
final class Instruments {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int EVENTS = 4096;
    private static final int MOST_CONTACTS = 512;
    private static final int MOST_ROW_CHARACTERS = 1 << 18;
    private static final int MOST_VIEWS = 16;

    /** A view whose frames are recorded, and the rows of a message about them. */
    private record View(String name, FigureRing.Reader frames, StringBuilder rows) {}

    final Meters meters = new Meters();
    final TickRows ticks;
    private final MachineRows machine;
    private final @Nullable WorldControl world;
    private final long startNanos;
    private final FigureRing.@Nullable Reader tickFigures;
    private final List<View> views = new CopyOnWriteArrayList<>();
    private final StringBuilder contacts = new StringBuilder();
    private int contactCount;
    private @Nullable EventStream events;
    private long saidNanos;

    Instruments(@Nullable WorldControl world, long startNanos) {
        this.world = world;
        this.startNanos = startNanos;
        ticks = new TickRows(startNanos);
        machine = new MachineRows(startNanos);
        tickFigures = world == null ? null : world.tickFigures().newReader();
        saidNanos = startNanos;
    }

    /** Any thread: adds a view. */
    synchronized FrameFeed frames(String name) {
        if (views.size() == MOST_VIEWS || views.stream().anyMatch(view -> view.name.equals(name))) {
            throw new IllegalArgumentException("a live page records up to " + MOST_VIEWS
                    + " views, each with a name of its own, but there are " + views.size()
                    + " and another is to be named '" + name + "'");
        }
        FrameFeed feed = new FrameFeed();
        views.add(new View(name, feed.newReader(), new StringBuilder()));
        return feed;
    }

    /** Takes what there is. Call it before a window is taken: then the snapshots of these ticks are known by the next message. */
    void take(boolean watched) {
        while (tickFigures != null && tickFigures.next()) {
            meters.tick(tickFigures);
            if (watched) {
                ticks.add(tickFigures);
            }
        }
        for (View view : views) {
            while (view.frames.next()) {
                meters.frame(view.name, view.frames);
                if (watched && view.rows.length() < MOST_ROW_CHARACTERS) {
                    addFrame(view.rows, view.frames);
                }
            }
        }
        takeContacts(watched);
        machine.watch(watched);
    }

    private void addFrame(StringBuilder rows, FigureRing.Reader frame) {
        rows.append(rows.isEmpty() ? "" : ",");
        for (FrameFeed.Figure figure : FrameFeed.Figure.values()) {
            boolean instant = figure == FrameFeed.Figure.DISPLAY_NANOS || figure == FrameFeed.Figure.COMPLETED_NANOS;
            rows.append(figure == FrameFeed.Figure.DISPLAY_NANOS ? "[" : ",");
            rows.append(frame.get(figure) - (instant ? startNanos : 0));
        }
        rows.append(']');
    }

    /** Contacts cost the physics thread something: they are followed only while somebody sees them. */
    private void takeContacts(boolean watched) {
        if (world != null && watched && events == null) {
            events = world.events(EVENTS);
        }
        if (events != null) {
            events.drain(this::addContact);
            if (!watched) {
                endContacts();
            }
        }
    }

    private void addContact(BodyEvent event) {
        boolean known = event.nx() != 0 || event.ny() != 0 || event.nz() != 0;
        float sum = event.x() + event.y() + event.z() + event.nx() + event.ny() + event.nz();
        if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN
                && known
                && Float.isFinite(sum)
                && contactCount < MOST_CONTACTS) {
            contacts.append(contactCount++ == 0 ? "[" : ",[").append(event.tick());
            contacts.append(',').append(BodyId.slot(event.body())).append(',');
            contacts.append(event.other() == BodyEvent.NO_BODY ? -1 : BodyId.slot(event.other()));
            contacts.append(',')
                    .append(event.x())
                    .append(',')
                    .append(event.y())
                    .append(',')
                    .append(event.z());
            contacts.append(',')
                    .append(event.nx())
                    .append(',')
                    .append(event.ny())
                    .append(',')
                    .append(event.nz());
            contacts.append(']');
        }
    }

    /** What is to be told to all pages now. */
    List<String> messages(long nowNanos) {
        List<String> messages = new ArrayList<>();
        if (nowNanos - saidNanos < PERIOD_NANOS) {
            return messages;
        }
        saidNanos = nowNanos;
        String rows = ticks.take();
        if (rows != null) {
            messages.add(rows);
        }
        for (View view : views) {
            if (!view.rows.isEmpty()) {
                messages.add(
                        "{\"type\":\"frames\",\"name\":" + Json.text(view.name) + ",\"rows\":[" + view.rows + "]}");
                view.rows.setLength(0);
            }
        }
        String seen = machine.take();
        if (seen != null) {
            messages.add(seen);
        }
        if (contactCount > 0) {
            messages.add("{\"type\":\"contacts\",\"list\":[" + contacts + "]}");
            contacts.setLength(0);
            contactCount = 0;
        }
        return messages;
    }

    /** Ends the subscription, and the watch of the machine. */
    void close() {
        endContacts();
        machine.close();
    }

    private void endContacts() {
        if (events != null) {
            events.close();
            events = null;
        }
    }
}
