package dev.escapement.state;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The part of a long search that a run of the tests takes: {@code SLICE=3/8} takes the third, the eleventh and so on of all seeds,
 * {@code SLICE=1/1} takes all, and without that variable it is {@value #USUAL}. What CI runs after a commit is chosen by its hash, and
 * what it runs at night is all of it, so that a search costs each run little and is made whole every day.
 *
 * @param number of this part, from 1
 * @param parts  how many there are
 */
public record Slice(int number, int parts) {

    private static final String USUAL = "1/8";
    private static final Pattern FORM = Pattern.compile("(\\d{1,4})/(\\d{1,4})");

    /** Checks that there is such a part. */
    public Slice {
        if (parts < 1 || number < 1 || number > parts) {
            throw new IllegalArgumentException("there is no part " + number + " of " + parts);
        }
    }

    /** The part that the variable {@code SLICE} names. */
    public static Slice current() {
        return parse(System.getenv().getOrDefault("SLICE", USUAL));
    }

    static Slice parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "SLICE must be a part and a number of parts such as 3/8, but was " + text);
        }
        return new Slice(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
    }

    /** Whether the part has what comes at this place, counted from 0. */
    public boolean has(long place) {
        return Math.floorMod(place, parts) == number - 1;
    }

    /** Seeds from 1 to the last one; never none, because there are more parts than seeds of some searches. */
    public LongStream seeds(int last) {
        return last < parts
                ? LongStream.of(1 + (number - 1) % last)
                : LongStream.rangeClosed(1, last).filter(seed -> has(seed - 1));
    }

    /** Of a search with a fixed list of cases, in its order; never none. */
    public <T> Stream<T> of(List<T> cases) {
        return cases.size() < parts
                ? Stream.of(cases.get((number - 1) % cases.size()))
                : IntStream.range(0, cases.size()).filter(this::has).mapToObj(cases::get);
    }
}
