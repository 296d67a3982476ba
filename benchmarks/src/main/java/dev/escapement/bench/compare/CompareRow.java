package dev.escapement.bench.compare;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.contest.Result;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * A contestant under one load, as the table and the page show it.
 *
 * @param row          its number among the loops of the literature
 * @param contestant   its name
 * @param means        the mean animation error at each of the {@link RefreshCase refresh cases}
 * @param p99          the error that 99% of the frames do not exceed, here and below at 144 frames a second
 * @param frames       frames displayed in a second
 * @param repeats      frames in 10,000 in which the picture stood still
 * @param skips        frames in 10,000 in which it moved twice as far as it should have
 * @param lookBehind   how far it is behind real time
 * @param speed        simulated over real time
 * @param belowFloor   how deep the ball was drawn in the floor
 * @param constantStep whether all steps are of one length
 * @param escapement   whether it is this project
 */
record CompareRow(
        String row,
        String contestant,
        List<Cell> means,
        Cell p99,
        String frames,
        String repeats,
        String skips,
        String lookBehind,
        String speed,
        String belowFloor,
        String constantStep,
        boolean escapement) {

    private static final RefreshCase MAIN = RefreshCase.FPS_144;
    private static final String NONE = "-";
    private static final double GOOD_MILLIS = 0.2;
    private static final double BAD_MILLIS = 2;

    /**
     * An error in milliseconds, and what to think of it: nobody sees 0.2 ms, everybody sees 2 ms.
     *
     * @param text  formatted
     * @param grade "good", "bad" or nothing
     */
    record Cell(String text, String grade) {

        static final Cell EMPTY = new Cell(NONE, "");

        static Cell ofMicros(double micros) {
            double millis = Math.round(micros) / 1e3; // the grade of what is written
            String grade = millis < GOOD_MILLIS ? "good" : millis >= BAD_MILLIS ? "bad" : "";
            return new Cell(format("%.3f", millis), grade);
        }
    }

    /** A row for each contestant that ran under a load. */
    static List<CompareRow> of(List<Result> results, LoadProfile load) {
        return Arrays.stream(Contestant.values())
                .filter(contestant ->
                        results.stream().anyMatch(result -> result.contestant() == contestant && result.load() == load))
                .map(contestant -> of(results, contestant, load))
                .toList();
    }

    private static CompareRow of(List<Result> results, Contestant contestant, LoadProfile load) {
        List<Cell> means = Arrays.stream(RefreshCase.values())
                .map(refresh -> Comparison.find(results, contestant, load, refresh)
                        .map(result -> Cell.ofMicros(result.errorMicros().mean()))
                        .orElse(Cell.EMPTY))
                .toList();
        Optional<Result> main = Comparison.find(results, contestant, load, MAIN);
        return new CompareRow(
                contestant.row(),
                contestant.toString(),
                means,
                main.map(result -> Cell.ofMicros(result.errorMicros().p99())).orElse(Cell.EMPTY),
                text(main, result -> format("%.0f", result.framesPerSecond())),
                text(main, result -> format("%,.0f", result.repeatsPer10000())),
                text(main, result -> format("%,.0f", result.skipsPer10000())),
                text(main, CompareRow::lookBehind),
                text(main, result -> format("%.3f", result.speed())),
                text(main, result -> format("%.0f", result.belowFloorMillimetres())),
                contestant.hasConstantStep() ? "yes" : "no",
                contestant.isEscapement());
    }

    static String lookBehind(Result result) {
        return result.lookBehindMicros() == null
                ? NONE
                : format("%.1f", result.lookBehindMicros().mean() / 1e3);
    }

    private static String text(Optional<Result> result, Function<Result, String> figure) {
        return result.map(figure).orElse(NONE);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value + 0.0); // no "-0"
    }
}
