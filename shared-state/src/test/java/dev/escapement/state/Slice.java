package dev.escapement.state;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The share of a long search that one test run executes. {@code SLICE=3/8} selects the third, the eleventh and so on of all cases,
 * {@code SLICE=1/1} selects all; the default is {@value #USUAL}. CI picks the slice by the hash of the commit, and each night runs
 * the whole search.
 */
public record Slice(int number, int parts) {

    private static final String USUAL = "1/8";
    private static final Pattern FORM = Pattern.compile("(\\d{1,4})/(\\d{1,4})");

    public Slice {
        if (parts < 1 || number < 1 || number > parts) {
            throw new IllegalArgumentException("there is no part " + number + " of " + parts);
        }
    }

    /** Returns the slice that the environment variable {@code SLICE} names, else {@value #USUAL}. */
    public static Slice current() {
        String text = System.getenv().getOrDefault("SLICE", USUAL);
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "SLICE must be a part and a number of parts such as 3/8, but was " + text);
        }
        return new Slice(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
    }

    /** Returns whether this slice contains the case with this index, counted from 0. */
    public boolean has(long place) {
        return Math.floorMod(place, parts) == number - 1;
    }

    /** Returns this slice's seeds out of 1 to {@code last}. Never empty: slices share seeds if there are fewer seeds than slices. */
    public LongStream seeds(int last) {
        return last < parts
                ? LongStream.of(1 + (number - 1) % last)
                : LongStream.rangeClosed(1, last).filter(seed -> has(seed - 1));
    }

    /** Returns this slice's cases, in the order of the list. Never empty: slices share cases if there are fewer cases than slices. */
    public <T> Stream<T> of(List<T> cases) {
        return cases.size() < parts
                ? Stream.of(cases.get((number - 1) % cases.size()))
                : IntStream.range(0, cases.size()).filter(this::has).mapToObj(cases::get);
    }
}
