package dev.escapement.render.web;

import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Metrics since the page was started, as text for Prometheus (format 0.0.4). One thread. */
final class Meters {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int SIGNIFICANT_DIGITS = 2;
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1};

    /** The frames of a view. */
    private static final class Frames {
        private final Histogram errors = histogram();
        private long count;
        private long holds;
        private long clamps;
    }

    private final Histogram lateness = histogram();
    private final Histogram step = histogram();
    private final Histogram capture = histogram();
    private final Histogram publishDelay = histogram();
    private final Map<String, Frames> frames = new LinkedHashMap<>();
    private long ticks;
    private long skippedNanos;
    private long slowedNanos;
    private double speed = 1;
    long picturesSent;
    long ticksUnseen;
    long bytesSent;

    private static Histogram histogram() {
        return new Histogram(1, MAX_NANOS, SIGNIFICANT_DIGITS);
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.max(0, Math.min(MAX_NANOS, nanos)));
    }

    void tick(MetricRing<TickMetric>.Reader row) {
        long dueNanos = row.get(TickMetric.DUE_NANOS);
        long startedNanos = row.get(TickMetric.STARTED_NANOS);
        long steppedNanos = row.get(TickMetric.STEPPED_NANOS);
        long publishedNanos = row.get(TickMetric.PUBLISHED_NANOS);
        ticks++;
        long skipped = row.get(TickMetric.SKIPPED_NANOS);
        skippedNanos += skipped;
        long slowed = row.get(TickMetric.SLOWED_NANOS);
        slowedNanos += slowed;
        double periodNanos = row.get(TickMetric.PERIOD_NANOS);
        speed = slowed + skipped == 0 ? 1 : periodNanos / (periodNanos + slowed + skipped);
        record(lateness, startedNanos - dueNanos);
        record(step, steppedNanos - startedNanos);
        record(capture, publishedNanos - steppedNanos);
        record(publishDelay, publishedNanos - dueNanos);
    }

    void frame(String view, MetricRing<FrameFeed.Metric>.Reader row) {
        Frames of = frames.computeIfAbsent(view, name -> new Frames());
        of.count++;
        of.holds = row.get(FrameFeed.Metric.HOLDS);
        of.clamps = row.get(FrameFeed.Metric.CLAMPS);
        record(of.errors, Math.abs(row.get(FrameFeed.Metric.ERROR_NANOS)));
    }

    /** Values that the sender adds. */
    record Now(int bodies, int moved, int clients, long historyTicks, long historyBytes, Map<String, Long> counts) {}

    String text(Now now) {
        StringBuilder out = new StringBuilder(4096);
        value(out, "ticks_total", "counter", "Ticks", ticks);
        value(out, "skipped_seconds_total", "counter", "Time skipped because ticks were late", skippedNanos / 1e9);
        value(out, "slowed_seconds_total", "counter", "Time added to ticks by slow motion", slowedNanos / 1e9);
        value(out, "speed", "gauge", "Speed of time, below 1 while steps take longer than a tick", speed);
        summary(out, "tick_lateness_seconds", "How late ticks started", lateness);
        summary(out, "tick_step_seconds", "How long the simulation's steps took", step);
        summary(out, "tick_capture_seconds", "From the end of a step until its snapshot was published", capture);
        summary(out, "tick_publish_delay_seconds", "From the due time until the snapshot was published", publishDelay);
        value(out, "bodies", "gauge", "Bodies in the newest snapshot", now.bodies);
        value(out, "bodies_moved", "gauge", "Bodies that moved in the newest tick, -1 if not known", now.moved);
        value(out, "live_clients", "gauge", "Pages that are open", now.clients);
        value(out, "live_pictures_sent_total", "counter", "Pictures sent to pages", picturesSent);
        value(out, "live_ticks_unseen_total", "counter", "Ticks that a page was not sent", ticksUnseen);
        value(out, "live_sent_bytes_total", "counter", "Bytes of pictures sent", bytesSent);
        value(out, "history_ticks", "gauge", "From the oldest tick kept to the newest", now.historyTicks);
        value(out, "history_bytes", "gauge", "Memory of the history", now.historyBytes);
        type(out, "count", "untyped", "Further counts, for example of the stream that carries the world");
        now.counts.forEach((name, count) -> sample(out, "count", label("name", name), count));
        type(out, "frames_total", "counter", "Frames of a view");
        frames.forEach((name, of) -> sample(out, "frames_total", label("view", name), of.count));
        type(out, "frame_holds_total", "counter", "Frames that stopped at the newest snapshot");
        frames.forEach((name, of) -> sample(out, "frame_holds_total", label("view", name), of.holds));
        type(out, "frame_clamps_total", "counter", "Frames that needed an older snapshot than the window has");
        frames.forEach((name, of) -> sample(out, "frame_clamps_total", label("view", name), of.clamps));
        type(out, "frame_animation_error_seconds", "summary", "Absolute slot animation error");
        frames.forEach((name, of) -> quantiles(out, "frame_animation_error_seconds", label("view", name), of.errors));
        return out.toString();
    }

    private static void type(StringBuilder out, String name, String type, String help) {
        out.append("# HELP escapement_").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE escapement_").append(name).append(' ').append(type).append('\n');
    }

    private static void value(StringBuilder out, String name, String type, String help, Number value) {
        type(out, name, type, help);
        sample(out, name, "", value);
    }

    private static void summary(StringBuilder out, String name, String help, Histogram histogram) {
        type(out, name, "summary", help);
        quantiles(out, name, "", histogram);
    }

    private static void quantiles(StringBuilder out, String name, String labels, Histogram histogram) {
        for (double quantile : QUANTILES) {
            String both = (labels.isEmpty() ? "" : labels + ",") + "quantile=\"" + quantile + "\"";
            sample(out, name, both, histogram.getValueAtPercentile(quantile * 100) / 1e9);
        }
        sample(out, name + "_sum", labels, histogram.getMean() * histogram.getTotalCount() / 1e9);
        sample(out, name + "_count", labels, histogram.getTotalCount());
    }

    private static void sample(StringBuilder out, String name, String labels, Number value) {
        out.append("escapement_").append(name);
        if (!labels.isEmpty()) {
            out.append('{').append(labels).append('}');
        }
        out.append(' ');
        out.append(value instanceof Double real ? String.format(Locale.ROOT, "%.9f", real) : value.toString());
        out.append('\n');
    }

    private static String label(String name, String value) {
        return name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
