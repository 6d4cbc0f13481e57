@echo off
rem Runs Keyward on Windows: audit, recover, inspect and config validate. Needs a JDK or JRE 25.
setlocal
set "HOME_DIR=%~dp0.."
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
if defined JAVA_25_HOME set "JAVA=%JAVA_25_HOME%\bin\java"
"%JAVA%" --version 2>nul | findstr /b /r /c:"openjdk 25" /c:"java 25" >nul
if errorlevel 1 (
  echo keyward: no Java 25 found; install one, for example Temurin 25, or set JAVA_25_HOME to it 1>&2
  exit /b 2
)
"%JAVA%" "@%HOME_DIR%\lib\flags\command" -Xmx2g -Dfile.encoding=UTF-8 "-Dkeyward.home=%HOME_DIR%" -cp "%HOME_DIR%\lib\*" io.keyward.cli.Main %*
exit /b %errorlevel%
