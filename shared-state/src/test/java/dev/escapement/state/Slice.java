package dev.escapement.state;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The share of a long search that one test run executes. {@code SLICE=3/8} selects the third, the eleventh and so on of all cases,
 * {@code SLICE=1/1} selects all; the default is {@value #USUAL}. CI picks the slice by the hash of the commit, and each night runs
 * the whole search, with other seeds each night: {@code SEEDS=20261130000} adds this number to each seed. Seeds that failed once are in
 * {@code failed-seeds.txt}, and run in every slice.
 */
public record Slice(int number, int parts) {

    private static final String USUAL = "1/8";
    private static final Pattern FORM = Pattern.compile("(\\d{1,4})/(\\d{1,4})");
    private static final Pattern FAILED =
            Pattern.compile("(\\S+) (\\d{1,12}) \\S.*"); // a test, its seed, what was wrong

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

    /**
     * Returns this slice's seeds out of 1 to {@code last}, plus the number in the environment variable {@code SEEDS}, and then the seeds
     * with which {@code test} once failed. Never empty: slices share seeds if there are fewer seeds than slices.
     */
    public LongStream seeds(int last, Class<?> test) {
        long offset = offset(System.getenv().getOrDefault("SEEDS", "0"));
        LongStream own = last < parts
                ? LongStream.of(1 + (number - 1) % last)
                : LongStream.rangeClosed(1, last).filter(seed -> has(seed - 1));
        return LongStream.concat(
                own.map(seed -> offset + seed),
                failed(test.getSimpleName(), failedSeeds()).stream().mapToLong(Long::longValue));
    }

    static long offset(String seeds) {
        if (!seeds.matches("\\d{1,12}")) {
            throw new IllegalArgumentException("SEEDS must be a number from 0 to 999999999999, but was " + seeds);
        }
        return Long.parseLong(seeds);
    }

    private static List<String> failedSeeds() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Slice.class.getResourceAsStream("failed-seeds.txt")), StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the seeds of a test, from lines that each name a test, its seed and what was wrong. */
    static List<Long> failed(String test, List<String> lines) {
        List<Long> seeds = new ArrayList<>();
        for (String line : lines) {
            Matcher form = FAILED.matcher(line);
            if (!line.startsWith("#") && !form.matches()) {
                throw new IllegalArgumentException(
                        "a line of failed-seeds.txt must be a test, a seed and what was wrong, but was " + line);
            }
            if (!line.startsWith("#") && form.group(1).equals(test)) {
                seeds.add(Long.parseLong(form.group(2)));
            }
        }
        return seeds;
    }

    /** Returns this slice's cases, in the order of the list. Never empty: slices share cases if there are fewer cases than slices. */
    public <T> Stream<T> of(List<T> cases) {
        return cases.size() < parts
                ? Stream.of(cases.get((number - 1) % cases.size()))
                : IntStream.range(0, cases.size()).filter(this::has).mapToObj(cases::get);
    }
}
