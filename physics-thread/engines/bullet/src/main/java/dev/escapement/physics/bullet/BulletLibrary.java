package dev.escapement.physics.bullet;

import java.util.Locale;

/**
 * Where Libbulletjme keeps the native library of one platform.
 *
 * @param artifact the Maven artifact, whose classifier jar holds the library
 * @param resource the library's path within that jar
 */
record BulletLibrary(String artifact, String resource) {

    /** The operating system comes as the JVM names it, so that every platform can be tested on any of them. */
    static BulletLibrary forPlatform(String osName, String osArch) {
        String architecture = architecture(osArch);
        return switch (family(osName) + ' ' + architecture) {
            case "linux x86_64" -> of("Libbulletjme-Linux64", "linux", architecture, "libbulletjme.so");
            case "linux arm64" -> of("Libbulletjme-Linux_ARM64", "linux", architecture, "libbulletjme.so");
            case "windows x86_64" -> of("Libbulletjme-Windows64", "windows", architecture, "bulletjme.dll");
            case "windows arm64" -> of("Libbulletjme-Windows_ARM64", "windows", architecture, "bulletjme.dll");
            case "osx x86_64" -> of("Libbulletjme-MacOSX64", "osx", architecture, "libbulletjme.dylib");
            case "osx arm64" -> of("Libbulletjme-MacOSX_ARM64", "osx", architecture, "libbulletjme.dylib");
            default ->
                throw new UnsupportedPlatformException("Libbulletjme offers no native library of Bullet for " + osName
                        + " " + osArch + ": use Linux, Windows or macOS on amd64 or aarch64");
        };
    }

    /** What a build has to depend on. */
    String coordinates(String version) {
        return "com.github.stephengold:" + artifact + ":" + version + ":SpRelease";
    }

    private static BulletLibrary of(String artifact, String os, String architecture, String file) {
        return new BulletLibrary(artifact, "/native/" + os + "/" + architecture + "/" + file);
    }

    private static String family(String osName) {
        String name = osName.toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            return "windows"; // the version follows, as in "Windows 11"
        }
        return name.startsWith("mac") ? "osx" : name;
    }

    /** JVMs disagree about the names of the same two architectures. */
    private static String architecture(String osArch) {
        return switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm64";
            default -> osArch;
        };
    }
}
