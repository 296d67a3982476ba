package dev.escapement.render.web;

import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What pages get besides pictures: metrics of ticks and frames, pauses of the machine, and contacts. Collected once for all pages, every
 * 50 ms.
 *
 * <p>One thread, except {@link #frames}.
 */
final class Instruments {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int EVENTS = 4096;
    private static final int MAX_ROWS = 4096;
    private static final int MAX_CONTACTS = 512;
    private static final int MAX_VIEWS = 16;
    private static final int COUNTS_KEPT = 1024;
    private static final Set<Enum<?>> INSTANTS = Set.of(
            TickMetric.DUE_NANOS,
            TickMetric.STARTED_NANOS,
            TickMetric.STEPPED_NANOS,
            TickMetric.PUBLISHED_NANOS,
            TickMetric.ENDED_NANOS,
            TickMetric.FIRST_INPUT_NANOS,
            FrameFeed.Metric.DISPLAY_NANOS,
            FrameFeed.Metric.COMPLETED_NANOS);

    /** What the system counts in a tick is for {@link MachineRows}. */
    private static final TickMetric[] TICK_COLUMNS = Stream.concat(
                    EnumSet.range(TickMetric.TICK, TickMetric.PERIOD_NANOS).stream(),
                    Stream.of(TickMetric.SLOWED_NANOS))
            .toArray(TickMetric[]::new);

    /** How many bodies moved in a tick; -1 if not known. */
    record Count(long tick, int moved) {}

    /** A view whose frames are recorded, and the rows of a message about them. */
    private record View(String name, MetricRing<FrameFeed.Metric>.Reader frames, List<List<@Nullable Long>> rows) {}

    final Meters meters = new Meters();
    private final Count[] counts = new Count[COUNTS_KEPT];
    private final MachineRows machine;
    private @Nullable WorldControl world;
    private final long startNanos;
    private MetricRing<TickMetric>.@Nullable Reader tickMetrics;
    private final List<List<@Nullable Long>> ticks = new ArrayList<>();
    private final List<View> views = new CopyOnWriteArrayList<>();
    private final List<Number[]> contacts = new ArrayList<>();
    private @Nullable EventStream events;
    private long saidNanos;

    Instruments(@Nullable WorldControl world, long startNanos) {
        this.startNanos = startNanos;
        machine = new MachineRows(startNanos);
        saidNanos = startNanos;
        show(world);
    }

    /** Shows another world; counts are not reset. */
    void show(@Nullable WorldControl next) {
        endContacts();
        contacts.clear();
        ticks.clear();
        views.forEach(view -> view.rows.clear());
        Arrays.fill(counts, new Count(Snapshot.NEVER_WRITTEN, -1));
        world = next;
        MetricRing<TickMetric> ring = next == null ? null : next.tickMetrics();
        tickMetrics = ring == null ? null : ring.newReader();
        machine.show(ring);
    }

    /** Any thread: adds a view. */
    synchronized FrameFeed frames(String name) {
        if (views.size() == MAX_VIEWS || views.stream().anyMatch(view -> view.name.equals(name))) {
            throw new IllegalArgumentException("a live page records up to " + MAX_VIEWS
                    + " views with different names, but there are " + views.size()
                    + " and another is to be named '" + name + "'");
        }
        FrameFeed feed = new FrameFeed();
        views.add(new View(name, feed.newReader(), new ArrayList<>()));
        return feed;
    }

    /** Collects all new rows. Call it before a window is taken: then the snapshots of these ticks are known by the next message. */
    void take(boolean watched) {
        while (tickMetrics != null && tickMetrics.next()) {
            meters.tick(tickMetrics);
            addRow(watched, ticks, tickMetrics, TICK_COLUMNS);
        }
        for (View view : views) {
            while (view.frames.next()) {
                meters.frame(view.name, view.frames);
                addRow(watched, view.rows, view.frames, FrameFeed.Metric.values());
            }
        }
        takeContacts(watched);
        machine.watch(watched);
    }

    private <M extends Enum<M>> void addRow(
            boolean watched, List<List<@Nullable Long>> rows, MetricRing<M>.Reader reader, M[] columns) {
        if (watched && rows.size() < MAX_ROWS) {
            List<@Nullable Long> row = new ArrayList<>();
            for (M column : columns) {
                long value = reader.get(column);
                boolean none = column.equals(TickMetric.FIRST_INPUT_NANOS) && value == 0;
                row.add(none ? null : (Long) (value - (INSTANTS.contains(column) ? startNanos : 0)));
            }
            rows.add(row);
        }
    }

    /** Collects contacts, which cost the physics thread time: only while a page is open. */
    private void takeContacts(boolean watched) {
        if (world != null && watched && events == null && !world.hasEnded()) {
            try {
                events = world.events(EVENTS);
            } catch (IllegalStateException closed) {
                return; // it has ended since hasEnded()
            }
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
                && contacts.size() < MAX_CONTACTS) {
            int other = event.other() == BodyEvent.NO_BODY ? -1 : BodyId.slot(event.other());
            contacts.add(new Number[] {
                event.tick(),
                BodyId.slot(event.body()),
                other, //
                event.x(),
                event.y(),
                event.z(),
                event.nx(),
                event.ny(),
                event.nz()
            });
        }
    }

    /** The messages for all pages now. */
    List<PageMessage> messages(long nowNanos) {
        List<PageMessage> messages = new ArrayList<>();
        if (nowNanos - saidNanos < PERIOD_NANOS) {
            return messages;
        }
        saidNanos = nowNanos;
        if (!ticks.isEmpty()) {
            ticks.forEach(this::addMoved);
            messages.add(new PageMessage.Ticks(List.copyOf(ticks)));
            ticks.clear();
        }
        for (View view : views) {
            if (!view.rows.isEmpty()) {
                messages.add(new PageMessage.Frames(view.name, List.copyOf(view.rows)));
                view.rows.clear();
            }
        }
        machine.take(messages);
        if (!contacts.isEmpty()) {
            messages.add(new PageMessage.Contacts(List.copyOf(contacts)));
            contacts.clear();
        }
        return messages;
    }

    /** Completes a row, whose first column is the tick. */
    private void addMoved(List<@Nullable Long> row) {
        row.add((long) counted(Objects.requireNonNull(row.get(0))).moved());
    }

    /** Counts the bodies that moved since the previous tick, if that is known. */
    void count(Snapshot now, @Nullable Snapshot before) {
        int moved = before == null ? -1 : 0;
        for (int b = 0;
                before != null
                        && b < before.poses().blockCount()
                        && b < now.poses().blockCount();
                b++) {
            if (now.motion(b).changedTick() == now.tick()) {
                int slots = Math.min(now.poses().slotsIn(b), before.poses().slotsIn(b));
                int[] generation = now.bodyBlock(b).generation;
                PoseBlock to = now.poses().block(b);
                PoseBlock from = before.poses().block(b);
                for (int i = 0; i < slots; i++) {
                    moved += BodyId.isLive(generation[i]) && differs(to, from, i) ? 1 : 0;
                }
            }
        }
        counts[at(now.tick())] = new Count(now.tick(), moved);
    }

    Count counted(long tick) {
        Count count = counts[at(tick)];
        return count.tick == tick ? count : new Count(tick, -1);
    }

    private static int at(long tick) {
        return (int) (tick & (COUNTS_KEPT - 1));
    }

    private static boolean differs(PoseBlock a, PoseBlock b, int i) {
        return a.px[i] != b.px[i]
                || a.py[i] != b.py[i]
                || a.pz[i] != b.pz[i]
                || a.qx[i] != b.qx[i]
                || a.qy[i] != b.qy[i]
                || a.qz[i] != b.qz[i]
                || a.qw[i] != b.qw[i];
    }

    /** Ends the subscription to contacts, and the watch of the machine. */
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
