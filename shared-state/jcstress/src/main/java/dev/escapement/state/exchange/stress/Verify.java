package dev.escapement.state.exchange.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs all tests, which must pass, and some of them again with a broken {@code WindowWord}, which must fail.
 *
 * <p>jcstress alone does not check this: it passes when tests are missing from its list, or are skipped because they have more actors than
 * there are cores, and it does not check whether a test would notice a fault.
 */
public final class Verify {

    private static final String PACKAGE = "dev.escapement.state.exchange.";

    /** The number of tests. Change it with every test added, so that none is missing from jcstress's list. */
    private static final int TESTS = 20;

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private final Mode mode;
    private final Path folder;
    private final List<String> faults = new ArrayList<>();

    private Verify(Mode mode, Path folder) {
        this.mode = mode;
        this.folder = folder;
    }

    /**
     * Runs the command line: {@code --mode sanity}, {@code quick} (used without the option) or {@code default}, and the simple name of a
     * test to run it alone, without the broken words.
     *
     * @param args the mode, and a test
     * @throws IOException          if results cannot be written or read
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        boolean named = args.length >= 2 && args[0].equals("--mode") && args[1].matches("sanity|quick|default");
        String only = args.length == 3 ? args[2] : "";
        boolean exists = only.isEmpty()
                || TestList.tests().stream().anyMatch(test -> shortName(test).equals(only));
        if (args.length > 3 || (!named && args.length > 0) || !exists) {
            System.err.println("usage: java -jar escapement-jcstress.jar [--mode sanity|quick|default [TEST]]");
            System.exit(2);
        }
        Verify verify =
                new Verify(Mode.named(named ? args[1] : "quick"), Files.createTempDirectory("escapement-jcstress-"));
        System.exit((only.isEmpty() ? verify.run() : verify.run(only)) ? 0 : 1);
    }

    private boolean run(String only) throws IOException, InterruptedException {
        String name = TestList.tests().stream()
                .filter(test -> shortName(test).equals(only))
                .findFirst()
                .orElseThrow();
        judge(new JcstressRun(folder.resolve("tests"), List.of(), List.of(name), mode), name);
        return report();
    }

    private boolean run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        System.out.printf(
                "jcstress, mode %s, %d cores, %s, JVM %s%nLogs and reports: %s%n",
                mode, CORES, System.getProperty("os.arch"), System.getProperty("java.vm.version"), folder);
        runTests();
        for (BrokenWord broken : BrokenWord.values()) {
            runCanary(broken);
        }
        boolean passed = report();
        System.out.printf(
                "%n%s after %d s%n", passed ? "PASSED" : "FAILED", (System.nanoTime() - start) / 1_000_000_000);
        return passed;
    }

    private boolean report() {
        faults.forEach(fault -> System.out.println("FAULT: " + fault));
        return faults.isEmpty();
    }

    private void runTests() throws IOException, InterruptedException {
        List<String> possible = new ArrayList<>();
        List<String> impossible = new ArrayList<>();
        for (String test : new TreeSet<>(TestList.tests())) {
            (TestList.getInfo(test).threads() <= CORES ? possible : impossible).add(test);
        }
        JcstressRun jcstress = new JcstressRun(folder.resolve("tests"), List.of(), possible, mode);
        System.out.printf("%n%-20s %12s %8s%n", "Test", "samples", "states");
        int ran = 0;
        for (String test : possible) {
            ran += judge(jcstress, test) ? 1 : 0;
        }
        for (String test : impossible) {
            int cores = TestList.getInfo(test).threads();
            System.out.printf("%-20s %12s %8s  needs %d cores: not run%n", shortName(test), "-", "-", cores);
        }
        System.out.printf("%d of %d tests ran, %d could not%n", ran, TESTS, impossible.size());
        expect(
                ran + impossible.size() == TESTS,
                ran + " tests ran and " + impossible.size() + " could not, of " + TESTS);
        expect(jcstress.endedWell(), "jcstress failed or did not end, see its log");
    }

    /** Prints and judges a test. Returns whether it ran. */
    private boolean judge(JcstressRun jcstress, String test) {
        Verdict verdict = new Verdict(jcstress.results(), test);
        System.out.printf(
                "%-20s %,12d %8d  %s%n",
                shortName(test), verdict.samples(), verdict.states(), verdict.passed() ? "passed" : "FAILED");
        expect(verdict.ran(), shortName(test) + ": " + verdict.trouble());
        expect(verdict.forbidden() == 0, shortName(test) + ": " + verdict.forbidden() + " forbidden results");
        return verdict.ran();
    }

    private void runCanary(BrokenWord broken) throws IOException, InterruptedException {
        Path place = folder.resolve(broken.toString());
        List<Path> overrides = List.of(broken.unpackInto(place.resolve("classes")));
        List<String> tests = new ArrayList<>();
        BrokenWord.MUST_FAIL.forEach(test -> tests.add(PACKAGE + test));
        JcstressRun jcstress = new JcstressRun(place, overrides, tests, Mode.SANITY);
        System.out.printf("%n%-20s %12s %8s  (must be caught)%n", broken, "samples", "broken");
        for (String test : tests) {
            Verdict verdict = new Verdict(jcstress.results(), test);
            System.out.printf(
                    "%-20s %,12d %,8d  %s%n",
                    shortName(test),
                    verdict.samples(),
                    verdict.forbidden(),
                    verdict.caught() ? "caught" : "NOT CAUGHT");
            expect(verdict.ran(), broken + ", " + shortName(test) + ": " + verdict.trouble());
            expect(verdict.caught(), shortName(test) + " does not notice the broken word " + broken);
        }
    }

    private void expect(boolean holds, String fault) {
        if (!holds) {
            faults.add(fault);
        }
    }

    private static String shortName(String test) {
        return test.substring(test.lastIndexOf('.') + 1);
    }
}
