package dev.escapement.render.web;

import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Collects contacts and the causes of stutter: the metrics of ticks, who took their time, where bodies touch. It collects for all pages
 * together, and only while a page is open. Contacts leave in each round, the rest every 50 ms.
 *
 * <p>One thread.
 */
final class Instruments {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int EVENTS = 4096;
    private static final int MAX_ROWS = 4096;
    private static final int MAX_CONTACTS = 512;
    private static final MetricRing<TickMetric> NO_TICKS = new MetricRing<>(2, TickMetric.class);

    private static final TickMetric[] INSTANTS = {
        TickMetric.DUE_NANOS,
        TickMetric.STARTED_NANOS,
        TickMetric.STEPPED_NANOS,
        TickMetric.PUBLISHED_NANOS,
        TickMetric.ENDED_NANOS
    };

    private static final TickMetric[] AMOUNTS = {
        TickMetric.SKIPPED_NANOS, TickMetric.COMMANDS, TickMetric.PERIOD_NANOS, TickMetric.SLOWED_NANOS
    };

    private final long startNanos;
    private final MachineRows machine;
    private @Nullable WorldControl world;

    /** The metrics of the world's ticks. Without a world the ring stays empty, and only the JVM is observed. */
    private MetricRing<TickMetric> ring = NO_TICKS;

    private MetricRing<TickMetric>.Reader tickMetrics = ring.newReader();
    private final List<List<Long>> ticks = new ArrayList<>();
    private final List<Number[]> contacts = new ArrayList<>();
    private @Nullable EventStream events;
    private long saidNanos;

    Instruments(@Nullable WorldControl world, long startNanos) {
        this.startNanos = startNanos;
        machine = new MachineRows(startNanos);
        saidNanos = startNanos;
        show(world);
    }

    void show(@Nullable WorldControl next) {
        endContacts();
        contacts.clear();
        ticks.clear();
        world = next;
        ring = next == null ? NO_TICKS : next.tickMetrics();
        tickMetrics = ring.newReader();
    }

    void take(boolean watched) {
        while (tickMetrics.next()) {
            if (watched && ticks.size() < MAX_ROWS) {
                ticks.add(row());
            }
        }
        takeContacts(watched);
        machine.watch(watched ? ring : null);
    }

    private List<Long> row() {
        List<Long> row = new ArrayList<>();
        row.add(tickMetrics.get(TickMetric.TICK));
        for (TickMetric instant : INSTANTS) {
            row.add(tickMetrics.get(instant) - startNanos);
        }
        for (TickMetric amount : AMOUNTS) {
            row.add(tickMetrics.get(amount));
        }
        return row;
    }

    /** Collects contacts. They cost the physics thread time, so this happens only while a page is open. */
    private void takeContacts(boolean watched) {
        if (world != null && watched && events == null && !world.hasEnded()) {
            try {
                events = world.events(EVENTS);
            } catch (IllegalStateException closed) {
                return; // the world has ended since hasEnded() was checked
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
            contacts.add(
                    new Number[] {event.tick(), event.x(), event.y(), event.z(), event.nx(), event.ny(), event.nz()});
        }
    }

    List<PageMessage> messages(long nowNanos) {
        List<PageMessage> messages = new ArrayList<>();
        if (!contacts.isEmpty()) { // at once, because the page shows their tick a few milliseconds later
            messages.add(new PageMessage.Contacts(List.copyOf(contacts)));
            contacts.clear();
        }
        if (nowNanos - saidNanos < PERIOD_NANOS) {
            return messages;
        }
        saidNanos = nowNanos;
        if (!ticks.isEmpty()) {
            messages.add(new PageMessage.Ticks(List.copyOf(ticks)));
            ticks.clear();
        }
        machine.take(messages);
        return messages;
    }

    /** Ends the subscription to contacts, and the observation of late ticks and of the JVM. */
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
