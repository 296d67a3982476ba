package dev.escapement.render.web;

import dev.escapement.state.time.NanoClock;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The worlds that pages can open.
 *
 * <p>The list asks the application for the worlds at most once a second, however many pages ask, and only while a page asks.
 *
 * <p>One thread, which calls the application's code. Pages receive the message of an exception that this code throws.
 */
final class WorldList {

    /** The maximum of worlds in a message; users find the others by the filter. */
    static final int MAX_ROWS = 100;

    static final int MAX_COLUMNS = 8;

    /**
     * The maximum length of a name in characters. A message with a name of this length is within the size limit of messages, even if each
     * character must be escaped.
     */
    static final int MAX_NAME = 128;

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A world as pages see it. The filter ignores case. */
    private record Row(String name, String shortName, String lowerCase, Map<String, Number> numbers) {
        Row(String name, Map<String, Number> numbers) {
            this(name, cut(name), name.toLowerCase(Locale.ROOT), numbers);
        }
    }

    private final Supplier<Map<String, Map<String, Number>>> source;
    private final Consumer<String> opener;
    private final NanoClock clock;
    private List<Row> rows = List.of();
    private @Nullable String failure;
    private long nextNanos;

    /**
     * Creates the list.
     *
     * @param source returns columns of numbers by the name of a world
     * @param opener shows the world of a name
     * @param clock  a clock of real time, because people wait, even while the worlds' time stands still
     */
    WorldList(Supplier<Map<String, Map<String, Number>>> source, Consumer<String> opener, NanoClock clock) {
        this.source = source;
        this.opener = opener;
        this.clock = clock;
        nextNanos = clock.nanoTime();
    }

    /**
     * Sends the list to the pages that have requested it. A page without room for more messages gets the list in a later round.
     *
     * @param shown   the name of the displayed world; may be empty
     * @param opening the name of the next world; may be empty
     */
    void round(List<Client> clients, String shown, String opening) {
        for (Client client : clients) {
            String filter = client.worldFilter;
            if (filter != null && client.hasRoom()) {
                client.worldFilter = null;
                client.report(list(filter, cut(shown), cut(opening)));
            }
        }
    }

    private PageMessage.Worlds list(String filter, String shown, String opening) {
        refresh();
        try {
            String wanted = filter.toLowerCase(Locale.ROOT);
            List<Row> matching =
                    rows.stream().filter(row -> row.lowerCase.contains(wanted)).toList();
            List<Row> listed = matching.stream().limit(MAX_ROWS).toList();
            Set<String> titles = new LinkedHashSet<>();
            listed.forEach(row -> titles.addAll(row.numbers.keySet()));
            List<String> columns = titles.stream().limit(MAX_COLUMNS).toList();
            return new PageMessage.Worlds(
                    filter,
                    rows.size(),
                    matching.size(),
                    columns.stream().map(WorldList::cut).toList(),
                    listed.stream().map(row -> cells(row, columns)).toList(),
                    shown,
                    opening,
                    failure);
        } catch (RuntimeException changed) { // the application still modifies the maps that it returned
            return new PageMessage.Worlds(
                    filter, 0, 0, List.of(), List.of(), shown, opening, "the list cannot be read: " + why(changed));
        }
    }

    private static List<@Nullable Object> cells(Row row, List<String> columns) {
        Stream<@Nullable Object> numbers = columns.stream().map(column -> {
            Number number = row.numbers.get(column);
            return number != null && Double.isFinite(number.doubleValue()) ? number.doubleValue() : null;
        });
        return Arrays.asList(Stream.concat(Stream.of(row.shortName), numbers).toArray()); // List.of allows no nulls
    }

    private void refresh() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - nextNanos < 0) {
            return;
        }
        nextNanos = nowNanos + PERIOD_NANOS;
        try {
            rows = source.get().entrySet().stream()
                    .map(world -> new Row(world.getKey(), world.getValue()))
                    .toList();
            failure = null;
        } catch (RuntimeException | Error e) {
            rows = List.of();
            failure = "the program that serves this page cannot list its worlds: " + why(e);
        }
    }

    /**
     * Opens a world of the list.
     *
     * @param name the name that pages received
     * @return why it cannot be opened; null if the application accepted the call
     */
    @Nullable
    String open(String name) {
        refresh();
        Row world = rows.stream()
                .filter(row -> row.shortName.equals(name))
                .findFirst()
                .orElse(null);
        if (world == null) {
            return "there is no world '" + name + "': it has ended, or has another name now";
        }
        try {
            opener.accept(world.name);
            return null;
        } catch (RuntimeException | Error e) {
            return "world '" + name + "' cannot be shown: " + why(e);
        }
    }

    private static String why(Throwable thrown) {
        String message = thrown.getMessage();
        return PageMessage.cut(message == null ? thrown.toString() : message);
    }

    private static String cut(String name) {
        return name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name;
    }
}
