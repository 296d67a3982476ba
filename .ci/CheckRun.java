import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.machine.MachineSurvey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the main job's JSON and fails if it shows a fault, even one that the job itself did not find. */
class CheckRun {

    public static void main(String[] args) throws Exception {
        JsonObject run = JsonParser.parseString(Files.readString(Path.of(args[0]))).getAsJsonObject();
        List<String> faults = new ArrayList<>();
        expect(faults, run, "tornSnapshots", 0);
        expect(faults, run, "nonConsecutiveWindows", 0);
        expect(faults, run, "misplacedFrames", 0);
        expect(faults, run, "uncountedRepeats", 0);
        expect(faults, run, "quarantinedPoses", 0);
        if (number(run, "windowsChecked") == 0) {
            faults.add("no window was checked");
        }
        expect(faults, run, "inputsAccepted", number(run, "inputsApplied") + number(run, "inputsPending"));
        expect(faults, run, "inputsOffered", number(run, "inputsAccepted") + number(run, "inputsRejected"));
        long deadlines = number(run, "ticks") + number(run, "skippedTicks") + number(run, "slowedTicks");
        if (Math.abs(deadlines - number(run, "expectedTicks")) > 1 || number(run, "ticks") == 0) {
            faults.add(deadlines + " ticks run, skipped or fewer in slow motion, expected " + number(run, "expectedTicks"));
        }
        if (run.get("lostUnexplainedMillis").getAsDouble() > 1000 * run.get("seconds").getAsDouble()) {
            faults.add("more time was lost than the run had");
        }
        if (number(run, "frames") == 0 || number(run, "inputsApplied") == 0) {
            faults.add("no frames, or no input applied");
        }
        // The limits are multiples of this machine's shortest sleep: far above the values of a sound machine, far below
        // those of a fault.
        double parkMicros = MachineSurvey.shortestParkNanos() / 1e3;
        atMost(faults, run, "tickLatenessMicros", 20 * parkMicros);
        atMost(faults, run, "publishDelayMicros", 20 * parkMicros + median(run, "stepMicros"));
        // The limit is the unevenness of a picture in which every fourth frame stands still. A machine that keeps up
        // stays far below it, however busy it is.
        double uneven = run.get("unevennessPercent").getAsDouble();
        if (!(uneven <= 50)) {
            faults.add("the picture moves unevenly: by " + uneven + " % in the mean");
        }
        // Jolt's ticks allocate nothing. A few kB come once, when the JIT compiler creates the strings of the code that
        // it compiles.
        double allocated = run.get("allocatedBytesPerTick").getAsDouble();
        if (run.get("engine").getAsString().equals("jolt") && !(allocated < 100)) {
            faults.add("the physics thread allocated " + allocated + " bytes a tick");
        }
        faults.forEach(fault -> System.out.println("FAULT: " + fault));
        if (faults.isEmpty()) {
            System.out.println("The run shows no fault.");
        }
        System.exit(faults.isEmpty() ? 0 : 1);
    }

    private static void expect(List<String> faults, JsonObject run, String key, long expected) {
        if (number(run, key) != expected) {
            faults.add(key + " is " + number(run, key) + ", expected " + expected);
        }
    }

    private static void atMost(List<String> faults, JsonObject run, String key, double limitMicros) {
        double measured = median(run, key);
        if (!(measured <= limitMicros)) {
            faults.add("the median of " + key + " is " + measured + ", at most " + limitMicros + " are expected");
        }
    }

    private static double median(JsonObject run, String key) {
        return run.getAsJsonObject(key).get("p50").getAsDouble();
    }

    private static long number(JsonObject run, String key) {
        return run.get(key).getAsLong();
    }
}
