package dev.escapement.bench.report;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.measure.Distribution.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A table with typed columns, for a terminal and for a page.
 *
 * @param <R> the object that a row shows
 */
public final class Table<R> {

    private final List<ColumnData<R>> columns = new ArrayList<>();

    public static <R> Table<R> ofDurations(Function<R, String> name, Function<R, Summary> micros) {
        return new Table<R>()
                .left("ms", name)
                .right("mean", row -> millis(micros.apply(row), Summary::mean))
                .right("p50", row -> millis(micros.apply(row), Summary::p50))
                .right("p99", row -> millis(micros.apply(row), Summary::p99))
                .right("p99.9", row -> millis(micros.apply(row), Summary::p999))
                .right("max", row -> millis(micros.apply(row), Summary::max));
    }

    private static String millis(Summary micros, ToDoubleFunction<Summary> value) {
        return micros.max() == 0 ? "-" : String.format(Locale.ROOT, "%,.3f", value.applyAsDouble(micros) / 1e3);
    }

    /** Formats a duration in a unit that fits: {@code 41.1 us}, {@code 4.97 ms}, {@code 1.25 s}. */
    public static String duration(double micros) {
        double size = Math.abs(micros);
        if (size < 999.95) { // 999.95 would be rounded to 1,000.0, which needs the next unit
            return String.format(Locale.ROOT, "%.1f us", micros);
        }
        return size < 999_995
                ? String.format(Locale.ROOT, "%.2f ms", micros / 1e3)
                : String.format(Locale.ROOT, "%,.2f s", micros / 1e6);
    }

    public Table<R> left(String header, Function<R, String> text) {
        return left(header, 0, text);
    }

    public Table<R> left(String header, int maxWidth, Function<R, String> text) {
        return add(header, HorizontalAlign.LEFT, maxWidth, text);
    }

    public Table<R> right(String header, Function<R, String> text) {
        return add(header, HorizontalAlign.RIGHT, 0, text);
    }

    private Table<R> add(String header, HorizontalAlign align, int maxWidth, Function<R, String> text) {
        Column column = new Column().headerAlign(HorizontalAlign.LEFT).dataAlign(align);
        if (!header.isEmpty()) {
            column = column.header(header);
        }
        if (maxWidth > 0) {
            column = column.maxWidth(maxWidth);
        }
        columns.add(column.with(text));
        return this;
    }

    public String text(List<R> rows) {
        return AsciiTable.getTable(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS, rows, columns);
    }

    public String textWithoutBorders(List<R> rows) {
        return AsciiTable.getTable(AsciiTable.NO_BORDERS, rows, columns).replaceAll("(?m) +$", "");
    }

    public List<String> headers() {
        return columns.stream().map(ColumnData::getHeader).toList();
    }

    public List<List<String>> cells(List<R> rows) {
        return rows.stream()
                .map(row ->
                        columns.stream().map(column -> column.getCellValue(row)).toList())
                .toList();
    }
}
